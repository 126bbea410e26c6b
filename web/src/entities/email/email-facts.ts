type ShownLink = {
  text: string;
  /** Undefined where it leads nowhere: its address was not a safe one. */
  address: string | undefined;
};

/** The links of an email in their order, each once, with the address that they lead to. */
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
/** Of its HTML, Gmail shows no more. */
const MOST_HTML = 102 * KILOBYTE;

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

/** How large an email is, as it is sent but for its headers, and whether that is too much for Gmail. */
export function sizeOf(html: string, text: string): { kilobytes: string; isCut: boolean } {
  const ofHtml = bytesOf(html);
  return {
    kilobytes: KILOBYTES.format((ofHtml + bytesOf(text)) / KILOBYTE),
    isCut: ofHtml > MOST_HTML,
  };
}
