'use client';

import { useEffect, useState } from 'react';
import { use } from './use';

/** Calls the package in the page when the component is mounted, and shows the text or the error that came of it. */
export function Client() {
  const [text, setText] = useState('');
  useEffect(() => {
    use().then(setText, (error) => setText(String(error)));
  }, []);
  return <p id="client">{text}</p>;
}
