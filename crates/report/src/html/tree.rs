//! The computation trees of small sizes: drawn, and as a list that opens and closes. The worst path is marked in both.

use maud::{Markup, html};

use crate::findings::Findings;
use crate::number::count;
use crate::tree::{Tree, TreePath, TreeSite};

/// Paths, decisions and trees that are drawn; a document may have more.
const MOST_PATHS: usize = 128;
const MOST_DECISIONS: usize = 64;
const MOST_TREES: usize = 8;

/// Pixels that all decisions of a path may take, and from one to the next at least and at most.
const DECISIONS: usize = 520;
const STEPS: (usize, usize) = (42, 90);
/// Pixels from path to path, of a circle, of the longest bar, and of the words beside it.
const ROW: usize = 22;
const RADIUS: usize = 9;
const BAR: f64 = 170.0;
const WORDS: usize = 100;

/// A decision, or the end of a path.
#[derive(Clone, Debug, Default)]
struct Node {
    /// Of a decision: its place.
    site: Option<usize>,
    /// The sides, and where they lead.
    ways: Vec<(String, usize)>,
    /// Of an end: its path.
    path: Option<usize>,
    /// Ends at or below it, and the most that one of them costs.
    paths: u64,
    most: u64,
    /// In half rows from the top.
    row: usize,
}

/// The tree that the paths make, its root first.
struct Shape<'t> {
    tree: &'t Tree,
    nodes: Vec<Node>,
    depth: usize,
    /// The cost of the best path and of the worst.
    best: u64,
    worst: u64,
}

impl Shape<'_> {
    fn of(tree: &Tree) -> Shape<'_> {
        let paths = &tree.paths[..tree.paths.len().min(MOST_PATHS)];
        let worst = paths.iter().map(|path| path.cost).max().unwrap_or(0);
        let best = paths.iter().map(|path| path.cost).min().unwrap_or(0);
        let mut shape = Shape { tree, nodes: vec![Node::default()], depth: 0, best, worst };
        for (index, path) in paths.iter().enumerate() {
            shape.add(index, path);
        }
        let mut next = 0;
        shape.place(0, &mut next);
        shape
    }

    fn add(&mut self, index: usize, path: &TreePath) {
        let decisions = path.sites.iter().zip(&path.sides).take(MOST_DECISIONS);
        let mut at = 0;
        self.pass(at, path.cost);
        for (depth, (site, side)) in decisions.enumerate() {
            self.depth = self.depth.max(depth + 1);
            self.nodes[at].site.get_or_insert(*site);
            let known = self.nodes[at].ways.iter().find(|(name, _)| name == side).map(|way| way.1);
            at = known.unwrap_or_else(|| {
                let new = self.nodes.len();
                self.nodes.push(Node::default());
                self.nodes[at].ways.push((side.clone(), new));
                new
            });
            self.pass(at, path.cost);
        }
        self.nodes[at].path.get_or_insert(index);
    }

    fn pass(&mut self, at: usize, cost: u64) {
        self.nodes[at].paths += 1;
        self.nodes[at].most = self.nodes[at].most.max(cost);
    }

    /// Ends below each other, a decision in the middle of what it leads to. No deeper than `MOST_DECISIONS`.
    fn place(&mut self, at: usize, next: &mut usize) {
        let ways: Vec<usize> = self.nodes[at].ways.iter().map(|way| way.1).collect();
        for way in &ways {
            self.place(*way, next);
        }
        self.nodes[at].row = match (ways.first(), ways.last()) {
            (Some(first), Some(last)) => (self.nodes[*first].row + self.nodes[*last].row) / 2,
            _ => {
                *next += 2;
                *next - 2
            }
        };
    }

    fn step(&self) -> usize {
        (DECISIONS / self.depth.max(1)).clamp(STEPS.0, STEPS.1)
    }

    fn is_worst(&self, at: usize) -> bool {
        self.nodes[at].most == self.worst
    }

    fn site(&self, at: usize) -> Option<(usize, &TreeSite)> {
        let position = self.nodes[at].site?;
        Some((position + 1, self.tree.sites.get(position)?))
    }
}

pub fn section(findings: &Findings) -> Markup {
    let trees: Vec<&Tree> = findings.trees.iter().filter(|tree| tree.paths.len() > 1).take(MOST_TREES).collect();
    let Some(largest) = trees.last().map(|tree| tree.size) else { return html! {} };
    html! {
        section id="tree" {
            h2 { "The computation tree" }
            p {
                "Every path there is, from its first decision on the left to its cost on the right, "
                strong.worst-text { "the worst" } " in colour. Only decisions that could have gone another way are drawn."
            }
            @for tree in &trees { (one(tree, tree.size == largest)) }
        }
    }
}

fn one(tree: &Tree, open: bool) -> Markup {
    let shape = Shape::of(tree);
    let shown = tree.paths.len().min(MOST_PATHS);
    let worst = tree.paths[..shown].iter().filter(|path| path.cost == shape.worst).count();
    html! {
        details.one-tree open[open] {
            summary {
                "size " (tree.size) ": " (tree.paths.len()) " paths, the worst " @if worst > 1 { (worst) " cost " } @else { "costs " }
                strong { (count(shape.worst)) }
            }
            @if shown < tree.paths.len() { p.hint { "Drawn are the first " (shown) " paths." } }
            div.scroll { (drawing(&shape)) }
            (legend(tree))
            details.outline {
                summary { "The same tree as a list" }
                div.scroll { (outline(&shape, 0, None)) }
            }
        }
    }
}

fn legend(tree: &Tree) -> Markup {
    html! {
        ol.sites {
            @for site in &tree.sites {
                li { code { (site.place) } @if let Some(text) = &site.text { " " code.quoted { (text) } } }
            }
        }
    }
}

/// Left to right. What is worst is drawn last, above the rest.
fn drawing(shape: &Shape<'_>) -> Markup {
    let ends = RADIUS + shape.depth * shape.step() + RADIUS;
    let (width, height) = (ends + BAR as usize + WORDS, shape.nodes.iter().filter(|n| n.ways.is_empty()).count() * ROW);
    let (mut edges, mut labels): (Vec<(bool, Markup)>, Vec<Markup>) = (Vec::new(), Vec::new());
    let mut circles: Vec<(bool, Markup)> = Vec::new();
    let mut open = vec![(0, 0)];
    while let Some((at, depth)) = open.pop() {
        for (side, to) in &shape.nodes[at].ways {
            edges.push((shape.is_worst(*to), edge(shape, (at, depth), *to)));
            labels.push(label(shape, depth + 1, *to, side));
            open.push((*to, depth + 1));
        }
        circles.push((shape.is_worst(at), circle(shape, at, depth, ends)));
    }
    edges.sort_by_key(|edge| edge.0);
    circles.sort_by_key(|circle| circle.0);
    let about = format!("computation tree of size {}: the list below has the same", shape.tree.size);
    html! {
        svg.tree viewBox=(format!("0 -6 {width} {}", height + 6)) width=(width) height=(height + 6) role="img" aria-label=(about) {
            @for (_, edge) in &edges { (edge) }
            @for label in &labels { (label) }
            @for (_, circle) in &circles { (circle) }
        }
    }
}

fn position(shape: &Shape<'_>, at: usize, depth: usize) -> (usize, usize) {
    (RADIUS + 1 + depth * shape.step(), ROW / 2 + shape.nodes[at].row * ROW / 2)
}

fn edge(shape: &Shape<'_>, (from, depth): (usize, usize), to: usize) -> Markup {
    let ((x, y), (x1, y1)) = (position(shape, from, depth), position(shape, to, depth + 1));
    let middle = x.midpoint(x1);
    let class = if shape.is_worst(to) { "way worst" } else { "way" };
    html! { path class=(class) d=(format!("M{x} {y}C{middle} {y} {middle} {y1} {x1} {y1}")) {} }
}

/// The side that leads to a node, just before it.
fn label(shape: &Shape<'_>, depth: usize, to: usize, side: &str) -> Markup {
    let (x, y) = position(shape, to, depth);
    html! { text.side x=(x - RADIUS - 5) y=(y - 4) { (short(side)) title { (side) } } }
}

/// `T`, `F` and the like, or the number of a case.
fn short(side: &str) -> &str {
    match side {
        "true" => "T",
        "false" => "F",
        "taken" => "t",
        "not taken" => "n",
        "nonzero" => "≠0",
        "zero" => "0",
        other => other.strip_prefix("case ").unwrap_or(other),
    }
}

/// A decision as a circle with the number of its place; an end as a bar with its cost, all in one column.
fn circle(shape: &Shape<'_>, at: usize, depth: usize, ends: usize) -> Markup {
    let (x, y) = position(shape, at, depth);
    let class = if shape.is_worst(at) { "worst" } else { "other" };
    let Some(path) = shape.nodes[at].path.and_then(|path| shape.tree.paths.get(path)) else {
        let site = shape.site(at);
        return html! {
            g.decision.(class) {
                circle cx=(x) cy=(y) r=(RADIUS) {}
                @if let Some((number, site)) = site {
                    text x=(x) y=(y + 4) { (number) }
                    title { (site.place) @if let Some(text) = &site.text { " " (text) } }
                }
            }
        };
    };
    let length = if shape.worst > 0 { BAR * path.cost as f64 / shape.worst as f64 } else { 0.0 };
    // Costs that are nearly the same make bars that are; the colour still tells them apart.
    let rank = (path.cost - shape.best) as f64 / (shape.worst - shape.best).max(1) as f64;
    html! {
        g.end.(class) {
            path.lead-to d=(format!("M{x} {y}H{ends}")) {}
            rect x=(ends) y=(y - 6) width=(format!("{:.1}", length.max(1.0))) height="12" rx="2"
                fill-opacity=(format!("{:.2}", 0.2 + 0.5 * rank)) {}
            text x=(format!("{:.1}", ends as f64 + length + 6.0)) y=(y + 4) {
                (count(path.cost)) @if path.trap.is_some() { " trap" }
            }
            @if let Some(trap) = &path.trap { title { (trap) } }
        }
    }
}

/// What is below a decision, the way to the worst open.
fn outline(shape: &Shape<'_>, at: usize, side: Option<&str>) -> Markup {
    let node = &shape.nodes[at];
    let worst = shape.is_worst(at);
    let way = html! { @if let Some(side) = side { span.side { (side) } " " } };
    if node.ways.is_empty() {
        let trap = node.path.and_then(|path| shape.tree.paths.get(path)).and_then(|path| path.trap.as_deref());
        return html! {
            p.end.worst[worst] { (way) "cost " strong { (count(node.most)) } @if let Some(trap) = trap { ", " (trap) } }
        };
    }
    html! {
        details.branch.worst[worst] open[worst] {
            summary {
                (way)
                @if let Some((_, site)) = shape.site(at) {
                    code { (site.place) } @if let Some(text) = &site.text { " " code.quoted { (text) } }
                }
                span.hint { " " (count(node.paths)) " paths, worst " (count(node.most)) }
            }
            @for (side, to) in &node.ways { (outline(shape, *to, Some(side))) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_PATHS, Shape, drawing, outline};
    use crate::tree::{Tree, TreePath, TreeSite};

    fn path(cost: u64, sides: &[&str]) -> TreePath {
        let sides: Vec<String> = sides.iter().map(|side| (*side).to_owned()).collect();
        TreePath { cost, trap: None, sites: vec![0; sides.len()], sides }
    }

    fn tree(paths: Vec<TreePath>) -> Tree {
        Tree { size: 2, sites: vec![TreeSite { place: "a.c:1".to_owned(), text: None }], paths }
    }

    #[test]
    fn paths_with_the_same_beginning_share_it() {
        let tree = tree(vec![path(5, &["true"]), path(9, &["false", "true"]), path(7, &["false", "false"])]);
        let shape = Shape::of(&tree);
        assert_eq!((shape.nodes.len(), shape.depth, shape.worst), (5, 2, 9));
        let drawn = drawing(&shape).into_string();
        assert_eq!(drawn.matches("class=\"way worst\"").count(), 2);
        assert_eq!(drawn.matches("class=\"way\"").count(), 2);
        assert_eq!(drawn.matches("end worst").count(), 1);
        let list = outline(&shape, 0, None).into_string();
        assert_eq!((list.matches("<details").count(), list.matches(" open").count()), (2, 2), "{list}");
    }

    #[test]
    fn a_damaged_tree_is_still_drawn() {
        // A path that ends where another goes on, a place that is not there, sides without places, and too many of all.
        let mut odd = tree(vec![path(1, &["true"]), path(2, &["true", "true"]), path(3, &[])]);
        odd.paths[1].sites = vec![7, 8];
        odd.paths[2].sides = vec!["x".to_owned()];
        odd.paths.extend((0..500).map(|cost| path(cost, &["false"; 300])));
        let shape = Shape::of(&odd);
        assert!(shape.nodes.len() <= 2 + MOST_PATHS * 64);
        assert!(drawing(&shape).into_string().starts_with("<svg"));
        assert!(outline(&shape, 0, None).into_string().contains("a.c:1"));
    }
}
