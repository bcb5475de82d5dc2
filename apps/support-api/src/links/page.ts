/** A page without scripts or styles: it has to work in any mail program's browser. */
export interface Page {
  status: number;
  html: string;
}

/** @param button shows a form that posts to the page's own address. */
export function page(status: number, title: string, text: string, button?: string): Page {
  const form =
    button === undefined ? '' : `<form method="post"><button type="submit">${button}</button></form>`;
  return {
    status,
    html:
      '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
      '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">' +
      `<title>${title}</title></head><body><main><h1>${title}</h1><p>${text}</p>${form}</main></body></html>`,
  };
}
