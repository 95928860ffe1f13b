//! Panels as an SVG picture: one below the other, with the updates from left to right.

use std::fmt::Write;

use super::{Panel, Series};

const WIDTH: f64 = 960.0;
/// Where the lines begin and end.
const LEFT: f64 = 110.0;
const RIGHT: f64 = 940.0;
/// Height of one panel, and where its lines are.
const PANEL: f64 = 190.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 160.0;
/// Names above a panel.
const MOST_NAMES: usize = 6;
/// Colours that are told apart with any kind of sight, after Okabe and Ito.
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];

/// The picture of panels from the first to the last update.
pub(super) fn picture(panels: &[Panel], (first, last): (u64, u64)) -> String {
    let height = PANEL * panels.len() as f64;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#fff\"/>\n"
    );
    for (at, panel) in panels.iter().enumerate() {
        let frame = Frame { panel, first, end: last.saturating_add(1), range: range(panel) };
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(text, "<g transform=\"translate(0,{})\">", PANEL * at as f64);
        frame.draw(&mut text);
        text += "</g>\n";
    }
    text + "</svg>\n"
}

/// The smallest and the largest value, apart from one another.
fn range(panel: &Panel) -> (f64, f64) {
    let values = panel.lines.iter().flat_map(|line| &line.changes).filter_map(|&(_, value)| value);
    let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
    match () {
        () if low > high => (0.0, 1.0),
        // Halves, since the difference itself can be too large.
        () if high / 2.0 > low / 2.0 => (low, high),
        () if low + 1.0 > low => (low - 1.0, high + 1.0),
        () => ((low - low.abs() / 2.0).max(f64::MIN), (high + high.abs() / 2.0).min(f64::MAX)),
    }
}

struct Frame<'a> {
    panel: &'a Panel,
    first: u64,
    /// Behind the last update.
    end: u64,
    range: (f64, f64),
}

impl Frame<'_> {
    fn x(&self, tick: u64) -> f64 {
        LEFT + (RIGHT - LEFT) * (tick - self.first) as f64 / (self.end - self.first) as f64
    }

    fn y(&self, value: f64) -> f64 {
        let (low, high) = self.range;
        BOTTOM - (BOTTOM - TOP) * ((value / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0))
    }

    fn draw(&self, text: &mut String) {
        let _ = writeln!(text, "<text x=\"8\" y=\"20\" font-weight=\"bold\">{}</text>", escaped(&self.panel.title()));
        self.names(text);
        self.updates(text);
        self.values(text);
        for (at, line) in self.panel.lines.iter().enumerate() {
            let (colour, title) = (COLOURS[at % COLOURS.len()], escaped(&line.label()));
            let path = self.path(line);
            let _ = writeln!(
                text,
                "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"><title>{title}</title></path>"
            );
        }
    }

    /// Whose lines these are, each in its colour.
    fn names(&self, text: &mut String) {
        let lines = &self.panel.lines;
        let _ = write!(text, "<text x=\"{RIGHT}\" y=\"20\" text-anchor=\"end\">");
        for (at, line) in lines.iter().take(MOST_NAMES).enumerate() {
            let (colour, name) = (COLOURS[at % COLOURS.len()], escaped(&line.label()));
            let _ = write!(text, "<tspan fill=\"{colour}\" dx=\"12\">{name}</tspan>");
        }
        let rest = lines.len().saturating_sub(MOST_NAMES);
        let _ = writeln!(text, "{}</text>", if rest > 0 { format!(" and {rest} more") } else { String::new() });
    }

    /// The scale of updates.
    fn updates(&self, text: &mut String) {
        let step = step(self.end - self.first);
        let mut tick = self.first.next_multiple_of(step);
        while tick < self.end {
            let x = self.x(tick);
            let _ = writeln!(
                text,
                "<path d=\"M{x:.2} {TOP}V{BOTTOM}\" stroke=\"#ddd\"/>\
                 <text x=\"{x:.2}\" y=\"176\" text-anchor=\"middle\" fill=\"#555\">{tick}</text>"
            );
            let Some(next) = tick.checked_add(step) else { break };
            tick = next;
        }
    }

    /// The scale of values: all texts, or the smallest and the largest number.
    fn values(&self, text: &mut String) {
        let texts = self.panel.texts.iter().enumerate().map(|(at, text)| (at as f64, text.clone()));
        let ends = [self.range.0, self.range.1].map(|value| (value, value.to_string()));
        let numbers = ends.into_iter().filter(|_| self.panel.texts.is_empty());
        for (value, name) in texts.chain(numbers) {
            let y = self.y(value);
            let (name, below) = (escaped(&name), y + 4.0);
            let _ = writeln!(
                text,
                "<path d=\"M{LEFT} {y:.2}H{RIGHT}\" stroke=\"#ddd\"/>\
                 <text x=\"102\" y=\"{below:.2}\" text-anchor=\"end\" fill=\"#555\">{name}</text>"
            );
        }
    }

    /// Steps, since a value holds for its whole update.
    fn path(&self, line: &Series) -> String {
        let mut path = String::new();
        let ends = line.changes.iter().skip(1).map(|&(tick, _)| tick).chain([line.last.saturating_add(1)]);
        let mut is_open = false;
        for (&(tick, value), end) in line.changes.iter().zip(ends) {
            if let Some(value) = value {
                let (x, y, end) = (self.x(tick), self.y(value), self.x(end));
                let _ = match is_open {
                    true => write!(path, "V{y:.2}H{end:.2}"),
                    false => write!(path, "M{x:.2} {y:.2}H{end:.2}"),
                };
            }
            is_open = value.is_some();
        }
        path
    }
}

/// Updates between two marks: 1, 2 or 5 times a power of ten, so that there are at most eleven.
fn step(n_updates: u64) -> u64 {
    let mut step = 1;
    for factor in [2, 5, 10].into_iter().cycle() {
        if n_updates / step <= 10 {
            break;
        }
        step = match factor {
            2 => step * 2,
            5 => step / 2 * 5,
            _ => step * 2,
        };
    }
    step
}

fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '&' => out += "&amp;",
            '"' => out += "&quot;",
            c if c.is_control() => out.extend(c.escape_default()),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_few_and_round() {
        let steps = [1, 10, 11, 21, 30, 60, 101, 250, 1000, 1_000_000].map(step);
        assert_eq!(steps, [1, 1, 2, 2, 5, 10, 10, 50, 100, 100_000]);
        assert!(u64::MAX / step(u64::MAX) <= 10);
    }
}
