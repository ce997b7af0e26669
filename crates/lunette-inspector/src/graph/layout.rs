//! Lays out the nodes of a graph: linked ones near each other, others apart, without overlaps.
//!
//! A force-directed layout after Fruchterman and Reingold with a fixed number of steps, followed by a pass that
//! separates overlapping nodes. What must hold: the same graph gives the same positions on every machine, since only
//! additions, multiplications, divisions and square roots are used, which are exact to the bit; fixed nodes do not
//! move.

/// The distance between linked nodes, in points at a zoom of 1.
pub const SPACING: f32 = 120.0;
/// The number of steps of the simulation.
const STEPS: usize = 240;
/// The maximum number of passes that separate overlapping nodes.
const SEPARATIONS: usize = 120;
/// The size of a node with its name.
const ROOM: [f32; 2] = [104.0, 66.0];
/// The strength of the force towards the centre, which keeps unconnected parts together.
const GRAVITY: f32 = 0.06;

type Point = [f32; 2];

/// A deterministic pseudorandom number generator (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number from -1 to 1.
    fn around_zero(&mut self) -> f32 {
        // 16 bits fit a float exactly.
        let bits = u16::try_from(self.next() >> 48).unwrap_or_default();
        f32::from(bits) / 32_767.5 - 1.0
    }
}

/// Places `count` nodes with these links. `placed` has the positions of fixed nodes.
pub fn layout(count: usize, edges: &[(usize, usize)], placed: &[Option<Point>], seed: u64) -> Vec<Point> {
    let fixed = |node: usize| placed.get(node).copied().flatten();
    let mut positions = begin(count, edges, &fixed, seed);
    let free: Vec<bool> = (0..count).map(|node| fixed(node).is_none()).collect();
    if !free.contains(&true) {
        return positions;
    }
    // If most nodes are fixed, the others only move a little.
    let heat = if free.contains(&false) { SPACING } else { SPACING * (count as f32).sqrt() / 3.0 };
    for step in 0..STEPS {
        let most = max_step(heat, step);
        let forces = forces(&positions, edges);
        for (node, force) in forces.into_iter().enumerate().filter(|(node, _)| free[*node]) {
            let length = length(force).max(0.001);
            let reach = length.min(most) / length;
            positions[node] = [positions[node][0] + force[0] * reach, positions[node][1] + force[1] * reach];
        }
    }
    for _ in 0..SEPARATIONS {
        if !separate(&mut positions, &free) {
            break;
        }
    }
    positions
}

/// Returns the maximum distance that a node moves in a step.
fn max_step(heat: f32, step: usize) -> f32 {
    let left = (STEPS - step) as f32 / STEPS as f32;
    heat * left * left
}

/// Returns the initial positions: a new node is placed beside one that it is linked to.
fn begin(count: usize, edges: &[(usize, usize)], fixed: &dyn Fn(usize) -> Option<Point>, seed: u64) -> Vec<Point> {
    let mut random = Random(seed);
    let wide = SPACING * (count as f32).sqrt() / 2.0;
    let mut positions: Vec<Option<Point>> = (0..count).map(fixed).collect();
    for node in 0..count {
        if positions[node].is_some() {
            continue;
        }
        let linked = edges.iter().find_map(|(from, to)| match (*from == node, *to == node) {
            (true, _) => positions.get(*to).copied().flatten(),
            (_, true) => positions.get(*from).copied().flatten(),
            (false, false) => None,
        });
        let (middle, reach) = linked.map_or(([0.0, 0.0], wide), |position| (position, SPACING));
        let (x, y) = (random.around_zero(), random.around_zero());
        positions[node] = Some(if node == 0 { middle } else { [middle[0] + x * reach, middle[1] + y * reach] });
    }
    positions.into_iter().map(Option::unwrap_or_default).collect()
}

fn length([x, y]: Point) -> f32 {
    (x * x + y * y).sqrt()
}

/// Returns the force on each node: away from all others, towards linked ones, and slightly to the centre.
fn forces(positions: &[Point], edges: &[(usize, usize)]) -> Vec<Point> {
    let mut forces: Vec<Point> = positions.iter().map(|[x, y]| [-x * GRAVITY, -y * GRAVITY]).collect();
    for one in 0..positions.len() {
        for other in one + 1..positions.len() {
            let away = [positions[one][0] - positions[other][0], positions[one][1] - positions[other][1]];
            let square = (away[0] * away[0] + away[1] * away[1]).max(1.0);
            let push = SPACING * SPACING / square;
            let push = [away[0] * push, away[1] * push];
            forces[one] = [forces[one][0] + push[0], forces[one][1] + push[1]];
            forces[other] = [forces[other][0] - push[0], forces[other][1] - push[1]];
        }
    }
    for (from, to) in edges {
        let away = [positions[*from][0] - positions[*to][0], positions[*from][1] - positions[*to][1]];
        let pull = length(away) / SPACING;
        let pull = [away[0] * pull, away[1] * pull];
        forces[*from] = [forces[*from][0] - pull[0], forces[*from][1] - pull[1]];
        forces[*to] = [forces[*to][0] + pull[0], forces[*to][1] + pull[1]];
    }
    forces
}

/// Separates overlapping nodes along the shorter axis; returns whether any node moved.
fn separate(positions: &mut [Point], free: &[bool]) -> bool {
    let mut moved = false;
    for one in 0..positions.len() {
        for other in one + 1..positions.len() {
            let shares = match (free[one], free[other]) {
                (true, true) => (0.5, 0.5),
                (true, false) => (1.0, 0.0),
                (false, true) => (0.0, 1.0),
                (false, false) => continue,
            };
            let apart = [positions[other][0] - positions[one][0], positions[other][1] - positions[one][1]];
            let missing = [ROOM[0] - apart[0].abs(), ROOM[1] - apart[1].abs()];
            if missing[0] <= 0.0 || missing[1] <= 0.0 {
                continue;
            }
            moved = true;
            let axis = usize::from(missing[1] < missing[0]);
            let way = if apart[axis] < 0.0 { -1.0 } else { 1.0 };
            // Slightly more than needed, so that fewer passes are.
            let step = way * (missing[axis] + 1.0);
            positions[one][axis] -= step * shares.0;
            positions[other][axis] += step * shares.1;
        }
    }
    moved
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn overlaps(positions: &[Point]) -> usize {
        let pairs = (0..positions.len()).flat_map(|one| (one + 1..positions.len()).map(move |other| (one, other)));
        let over = |axis: usize, one: usize, other: usize| {
            (positions[one][axis] - positions[other][axis]).abs() < ROOM[axis] - 0.5
        };
        pairs.filter(|(one, other)| over(0, *one, *other) && over(1, *one, *other)).count()
    }

    /// Returns the edges of a tree with `count` nodes.
    fn tree(count: usize) -> Vec<(usize, usize)> {
        (1..count).map(|node| ((node - 1) / 7, node)).collect()
    }

    #[test]
    fn the_same_graph_and_seed_give_the_same_positions_and_another_seed_gives_others() {
        let edges = tree(40);
        assert_eq!(layout(40, &edges, &[], 7), layout(40, &edges, &[], 7));
        assert_ne!(layout(40, &edges, &[], 7), layout(40, &edges, &[], 8));
    }

    #[test]
    fn the_positions_are_the_same_on_every_machine() {
        let positions = layout(3, &[(0, 1), (0, 2)], &[], 1);
        let bits: Vec<_> = positions.iter().flatten().map(|at| at.to_bits()).collect();
        let seen: u64 = bits
            .iter()
            .fold(0xcbf2_9ce4_8422_2325, |sum: u64, bits| (sum ^ u64::from(*bits)).wrapping_mul(0x0100_0000_01b3));
        assert_eq!(seen, 5233670418927506469, "{positions:?}");
    }

    #[test]
    fn nodes_of_the_largest_graph_do_not_overlap() {
        let edges = tree(150);
        assert_eq!(overlaps(&layout(150, &edges, &[], 1)), 0);
    }

    #[test]
    fn the_largest_graph_settles_within_its_steps() {
        let heat = SPACING * 150.0_f32.sqrt() / 3.0;
        assert!((1..STEPS).all(|step| max_step(heat, step) < max_step(heat, step - 1)));
        assert!(max_step(heat, STEPS - 1) < 0.05, "the last step moves nothing that could be seen");
        let edges = tree(150);
        let positions = layout(150, &edges, &[], 1);
        // A layout of fixed nodes only does not move them.
        let fixed: Vec<_> = positions.iter().copied().map(Some).collect();
        assert_eq!(layout(150, &edges, &fixed, 1), positions);
        let push = |positions: &[Point]| forces(positions, &edges).into_iter().map(length).sum::<f32>();
        let initial = begin(150, &edges, &|_| None, 1);
        assert!(push(&positions) < push(&initial) / 4.0, "{} {}", push(&positions), push(&initial));
    }

    #[test]
    fn linked_nodes_are_nearer_than_others() {
        let edges = tree(60);
        let positions = layout(60, &edges, &[], 1);
        let far = |one: usize, other: usize| {
            length([positions[one][0] - positions[other][0], positions[one][1] - positions[other][1]])
        };
        let linked = edges.iter().map(|(from, to)| far(*from, *to)).sum::<f32>() / edges.len() as f32;
        let all = (1..60).map(|node| far(0, node)).chain((2..60).map(|node| far(1, node))).sum::<f32>() / 117.0;
        assert!(linked < all / 1.5, "{linked} {all}");
    }

    #[test]
    fn fixed_nodes_do_not_move_and_new_ones_are_placed_near_linked_ones() {
        let edges = tree(30);
        let before = layout(30, &edges, &[], 1);
        let fixed: Vec<_> = before.iter().copied().map(Some).collect();
        let after = layout(31, &[edges, vec![(4, 30)]].concat(), &fixed, 1);
        assert_eq!(after[..30], before[..]);
        assert_eq!(overlaps(&after), 0);
        assert!(length([after[30][0] - after[4][0], after[30][1] - after[4][1]]) < SPACING * 6.0);
    }

    proptest! {
        #[test]
        fn any_graph_gets_finite_positions(
            count in 0..40_usize,
            links in prop::collection::vec((0..40_usize, 0..40_usize), 0..80),
            at in prop::collection::vec(prop::option::of((-1e4_f32..1e4, -1e4_f32..1e4)), 0..40),
        ) {
            let links: Vec<_> = links.into_iter().filter(|(from, to)| *from < count && *to < count).collect();
            let placed: Vec<_> = at.into_iter().map(|at| at.map(|(x, y)| [x, y])).collect();
            let positions = layout(count, &links, &placed, 3);
            prop_assert_eq!(positions.len(), count);
            prop_assert!(positions.iter().flatten().all(|at| at.is_finite()));
        }
    }
}
