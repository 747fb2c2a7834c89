//! The colours that the themes are mixed from, and their nearest relatives on lesser terminals.

use ratatui::style::Color;

use crate::ui::highlight::Token;

/// What a theme is mixed from, in true colour.
pub(super) struct Palette {
    pub(super) ground: Color,
    pub(super) text: Color,
    pub(super) quiet: Color,
    pub(super) border: Color,
    pub(super) strong: Color,
    pub(super) file: Color,
    pub(super) removed: [Color; 3],
    pub(super) added: [Color; 3],
    pub(super) absent: Color,
    pub(super) green: Color,
    pub(super) red: Color,
    pub(super) yellow: Color,
    pub(super) blue: Color,
    pub(super) orange: Color,
    pub(super) cursor: Color,
    pub(super) selected: Color,
    pub(super) found: Color,
    pub(super) bar: Color,
    pub(super) dialog: Color,
    pub(super) tokens: [Color; Token::ALL.len()],
}

pub(super) const fn rgb(hex: u32) -> Color {
    let [_, r, g, b] = hex.to_be_bytes();
    Color::Rgb(r, g, b)
}

pub(super) const DARK: Palette = Palette {
    ground: rgb(0x0013_161b),
    text: rgb(0x00d4_d7dd),
    quiet: rgb(0x006b_7484),
    border: rgb(0x003a_414d),
    strong: rgb(0x00f2_f4f8),
    file: rgb(0x0022_2832),
    removed: [rgb(0x0033_1c21), rgb(0x006e_2a33), rgb(0x00e0_6c75)],
    added: [rgb(0x0017_2e22), rgb(0x0024_5c3c), rgb(0x007e_c68f)],
    absent: rgb(0x0017_1a20),
    green: rgb(0x007e_c68f),
    red: rgb(0x00ee_7b84),
    yellow: rgb(0x00e2_c06d),
    blue: rgb(0x007c_b7f5),
    orange: rgb(0x00f0_9a62),
    cursor: rgb(0x002c_3544),
    selected: rgb(0x002f_4a73),
    found: rgb(0x006b_5a1e),
    bar: rgb(0x001c_212a),
    dialog: rgb(0x001f_252f),
    tokens: [
        rgb(0x00d4_d7dd),
        rgb(0x007a_8596),
        rgb(0x00a5_cf8a),
        rgb(0x00e5_b07b),
        rgb(0x00c9_9bee),
        rgb(0x007c_b7f5),
        rgb(0x006c_cfd3),
        rgb(0x00e3_c98f),
        rgb(0x00ee_8f97),
        rgb(0x00f2_f4f8),
        rgb(0x009a_a5b8),
    ],
};

pub(super) const LIGHT: Palette = Palette {
    ground: rgb(0x00ff_ffff),
    text: rgb(0x002b_303a),
    quiet: rgb(0x007d_8695),
    border: rgb(0x00c9_ced6),
    strong: rgb(0x000d_1118),
    file: rgb(0x00e6_eaf0),
    removed: [rgb(0x00fd_e9ea), rgb(0x00f7_bdc1), rgb(0x00bb_2b38)],
    added: [rgb(0x00e4_f5e8), rgb(0x00ab_e0b8), rgb(0x001c_7a3c)],
    absent: rgb(0x00f3_f4f6),
    green: rgb(0x001c_7a3c),
    red: rgb(0x00bb_2b38),
    yellow: rgb(0x008a_6400),
    blue: rgb(0x001d_5fb8),
    orange: rgb(0x00b3_520c),
    cursor: rgb(0x00dd_e6f3),
    selected: rgb(0x00bc_d6f7),
    found: rgb(0x00fb_e38a),
    bar: rgb(0x00ec_eff3),
    dialog: rgb(0x00f4_f6f9),
    tokens: [
        rgb(0x002b_303a),
        rgb(0x0076_7f8d),
        rgb(0x002f_732b),
        rgb(0x009a_4f06),
        rgb(0x007a_2fb5),
        rgb(0x001d_5fb8),
        rgb(0x000b_6e75),
        rgb(0x007a_5b00),
        rgb(0x00b0_2a37),
        rgb(0x000d_1118),
        rgb(0x005a_6473),
    ],
};

/// The dark palette for 256 colours. The nearest relatives of its tints are greys, which would say nothing.
pub(super) const DARK_INDEXED: Palette = Palette {
    removed: [Color::Indexed(52), Color::Indexed(88), Color::Indexed(210)],
    added: [Color::Indexed(22), Color::Indexed(28), Color::Indexed(114)],
    selected: Color::Indexed(24),
    found: Color::Indexed(58),
    ..DARK
};

/// The light palette for 256 colours.
pub(super) const LIGHT_INDEXED: Palette = Palette {
    removed: [
        Color::Indexed(224),
        Color::Indexed(217),
        Color::Indexed(124),
    ],
    added: [Color::Indexed(194), Color::Indexed(157), Color::Indexed(28)],
    selected: Color::Indexed(153),
    found: Color::Indexed(229),
    ..LIGHT
};

/// The steps of the colour cube.
const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// The nearest of the 256 colours: the 6×6×6 cube or the grey ramp, whichever is closer.
pub(super) fn to_indexed(color: Color) -> Color {
    let Color::Rgb(r, g, b) = color else {
        return color;
    };
    let nearest = |value: u8| {
        (0..6)
            .min_by_key(|&i| STEPS[usize::from(i)].abs_diff(value))
            .unwrap_or(0)
    };
    let distance = |cr: u8, cg: u8, cb: u8| {
        let square = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
        square(r, cr) + square(g, cg) + square(b, cb)
    };
    let cube: [u8; 3] = [nearest(r), nearest(g), nearest(b)];
    let [cr, cg, cb] = cube.map(|i| STEPS[usize::from(i)]);
    let level = (0..24_u8)
        .min_by_key(|&i| distance(8 + 10 * i, 8 + 10 * i, 8 + 10 * i))
        .unwrap_or(0);
    let grey = 8 + 10 * level;
    if distance(grey, grey, grey) < distance(cr, cg, cb) {
        Color::Indexed(232 + level)
    } else {
        Color::Indexed(16 + 36 * cube[0] + 6 * cube[1] + cube[2])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn true_colours_go_to_their_nearest_number() {
        assert_eq!(to_indexed(rgb(0)), Color::Indexed(16));
        assert_eq!(to_indexed(rgb(0x00ff_0000)), Color::Indexed(196));
        assert_eq!(to_indexed(rgb(0x001c_1c1c)), Color::Indexed(234));
    }
}
