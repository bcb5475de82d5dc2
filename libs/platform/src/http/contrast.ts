/**
 * The colour of text on a colour that somebody chose: black or white, whichever has the greater contrast, which is at
 * least 4.58:1 (WCAG 2.2, 1.4.3 asks for 4.5:1).
 *
 * @param background `#rrggbb`
 */
export function textOn(background: string): '#000000' | '#ffffff' {
  const light = luminance(background);
  return (light + 0.05) ** 2 > 1.05 * 0.05 ? '#000000' : '#ffffff';
}

/** Relative luminance by WCAG 2.2: 0 (black) to 1 (white). */
function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
