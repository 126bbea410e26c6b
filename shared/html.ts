const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML, in an element or an attribute. */
export const escaped = (text: string) =>
  text.replace(/[&<>"']/g, character => ESCAPES[character] ?? character);
