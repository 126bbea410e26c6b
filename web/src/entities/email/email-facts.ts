type ShownLink = {
  text: string;
  /** Undefined if the link has no target, since its address was not safe. */
  address: string | undefined;
};

/** The links of an email in their order, without duplicates, with their addresses. */
export function linksIn(html: string): ShownLink[] {
  const anchors = [...new DOMParser().parseFromString(html, 'text/html').querySelectorAll('a')];
  const links = anchors.map(anchor => ({
    text: anchor.textContent.replace(/\s+/g, ' ').trim(),
    address: anchor.getAttribute('href') ?? undefined,
  }));
  return [...new Map(links.map(link => [JSON.stringify([link.text, link.address]), link])).values()];
}

const KILOBYTE = 1_024;
const KILOBYTES = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
/** Gmail clips larger HTML. */
const MOST_HTML = 102 * KILOBYTE;

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

/** The size of an email as it is sent, without headers, and whether Gmail would clip it. */
export function sizeOf(html: string, text: string): { kilobytes: string; isCut: boolean } {
  const ofHtml = bytesOf(html);
  return {
    kilobytes: KILOBYTES.format((ofHtml + bytesOf(text)) / KILOBYTE),
    isCut: ofHtml > MOST_HTML,
  };
}
