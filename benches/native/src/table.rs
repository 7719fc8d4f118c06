//! Tables in Markdown, padded so that they can be read on a terminal too; and numbers as the text of their cells.

/// Rows of cells; the first row has the headings. All columns but the first `text_columns` are aligned at the right.
pub struct Table {
    rows: Vec<Vec<String>>,
    text_columns: usize,
}

impl Table {
    /// A table with these headings and no other row. The first `text_columns` are aligned at the left.
    pub fn new(headings: &[&str], text_columns: usize) -> Self {
        Self { rows: vec![headings.iter().map(|&heading| heading.to_owned()).collect()], text_columns }
    }

    /// Adds a row. Cells that are missing at its end are empty.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }
}

impl std::fmt::Display for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let columns = self.rows.first().map_or(0, Vec::len);
        let cell = |row: &[String], column: usize| row.get(column).cloned().unwrap_or_default();
        // In characters: at least three, which the line of dashes under the headings needs.
        let widths: Vec<usize> = (0..columns)
            .map(|column| {
                self.rows.iter().map(|row| cell(row, column).chars().count()).max().unwrap_or(0).max(3)
            })
            .collect();
        for (number, row) in self.rows.iter().enumerate() {
            for (column, &width) in widths.iter().enumerate() {
                let cell = cell(row, column);
                if column < self.text_columns {
                    write!(f, "| {cell:<width$} ")?
                } else {
                    write!(f, "| {cell:>width$} ")?
                }
            }
            writeln!(f, "|")?;
            if number == 0 {
                for (column, &width) in widths.iter().enumerate() {
                    if column < self.text_columns {
                        write!(f, "| {} ", "-".repeat(width))?;
                    } else {
                        write!(f, "| {}:", "-".repeat(width))?;
                    }
                }
                writeln!(f, "|")?;
            }
        }
        Ok(())
    }
}

/// A time in seconds as text, in the unit that suits it; a dash for NaN, which stands for no measurement.
pub fn time(seconds: f64) -> String {
    match seconds {
        s if s.is_nan() => "–".into(),
        s if s < 1e-6 => format!("{:.0} ns", s * 1e9),
        s if s < 1e-3 => format!("{:.1} µs", s * 1e6),
        s if s < 1.0 => format!("{:.2} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}

/// A factor as text; a dash for NaN, which stands for no measurement.
pub fn ratio(ratio: f64) -> String {
    match ratio {
        r if r.is_nan() => "–".into(),
        r if r < 10.0 => format!("{r:.2}×"),
        r => format!("{r:.0}×"),
    }
}

/// A number of bytes as text, in decimal units.
pub fn size(bytes: f64) -> String {
    match bytes {
        b if b < 1e4 => format!("{b:.0} B"),
        b if b < 1e6 => format!("{:.1} KB", b / 1e3),
        b => format!("{:.1} MB", b / 1e6),
    }
}
