// With an empty icon, so that the browser does not ask the server for one.
export const metadata = { title: 'scatterwise', icons: 'data:,' };

/** The document around the page, which Next.js asks for. */
export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
