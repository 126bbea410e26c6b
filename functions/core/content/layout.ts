import { Refusal } from '#core/refusal.ts';
import { SLOTS } from '#shared/email/look.ts';
import { linkedAddress, OWN_FILE, webAddress } from '#shared/email/web-address.ts';
import { escaped } from '#shared/html.ts';
import type { NewLayout } from '#shared/look.ts';

const KILOBYTE = 1_024;
const MOST_SOURCE = 256 * KILOBYTE;
/** Gmail cuts emails off above 102 KB. */
const MOST_HTML = 100 * KILOBYTE;
/** MJML takes a millisecond for each, and makes some 1,500 characters of it. */
const MOST_MJML_ELEMENTS = 300;
const MOST_DEPTH = 100;
const MOST_FAULTS = 5;

/** Compiled once, when it is saved: whatever renders emails knows this HTML alone. */
export async function compileLayout(organization: number, { kind, source }: NewLayout) {
  requireSize(source, MOST_SOURCE, 'The layout has', 'At most 256 KB can be saved.');
  const isMjml = kind === 'mjml';
  let html = scan(source, { isMjml, organization });
  if (isMjml) {
    // What stands in attributes and in mj-raw is in this HTML as it was written.
    html = scan(await htmlOfMjml(source), { isMjml: false, organization, isCompiled: true });
  }
  requireSize(
    html,
    MOST_HTML,
    'Its HTML has',
    'Gmail cuts emails off at 102 KB: at most 100 KB can be saved.',
  );
  return { kind, source, html };
}

/** The compiler is loaded when the first layout is saved, as it takes half a second. No fonts: their style sheets would be loaded from elsewhere. */
async function htmlOfMjml(source: string): Promise<string> {
  const { default: compile } = await import('mjml-browser');
  const options = { fonts: {}, keepComments: false, validationLevel: 'soft' } as const;
  const { html, errors } = await compile(source, options).catch(() => {
    throw refused(['This MJML could not be read. Compare it with the example.']);
  });
  if (errors.length > 0) throw refused(errors.map(({ line, message }) => `Line ${line}: ${message}.`));
  return html;
}

function requireSize(text: string, most: number, has: string, advice: string) {
  const size = Buffer.byteLength(text);
  const kilobytes = Math.ceil(size / KILOBYTE).toLocaleString('en');
  if (size > most) throw refused([`${has} ${kilobytes} KB. ${advice}`]);
}

function refused(faults: string[]): Refusal {
  const layout = [...new Set(faults)].slice(0, MOST_FAULTS);
  return new Refusal('invalid', layout[0] ?? '', { errors: { layout } });
}

const set = (names: string) => new Set(names.split(' '));
const VOID = set('br col hr img meta wbr');
const HTML = set(
  'html head title meta style body a abbr address article aside b big blockquote br caption center cite code col colgroup dd del dfn div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark nav ol p pre q s section small span strike strong sub sup table tbody td tfoot th thead tr tt u ul var wbr',
);
const MJML = set(
  'mjml mj-head mj-body mj-title mj-preview mj-attributes mj-all mj-class mj-style mj-breakpoint mj-section mj-column mj-group mj-wrapper mj-hero mj-text mj-image mj-button mj-divider mj-spacer mj-table mj-raw mj-social mj-social-element mj-navbar mj-navbar-link',
);
/** In comments that Outlook alone reads. */
const OUTLOOK = /^(xml|noscript|[ovw]:[a-z]+)$/;
/** Elements whose content is no markup. */
const RAW = set('style title mj-style');
/** Elements in which a part of an email may stand, and those that may be around these. */
const HOLDERS = set('body div center td th section article main header footer mj-text mj-raw mj-preview');
const AROUND = set('html table tbody thead tfoot tr');

const STYLE_SHEETS = 'style sheets of other addresses are not loaded. Write the styles into a <style>';
const REASONS: [RegExp, string][] = [
  [/^script$/, 'mail programs run no scripts, and filters refuse them'],
  [/^link$/, STYLE_SHEETS],
  [/^base$/, 'write whole addresses, which begin with https://'],
  [/^mj-include$/, 'other files are not read. Put their text here'],
  [/^mj-font$/, 'fonts of other addresses are not loaded. Name one that computers and phones have'],
  [/^mj-(accordion|carousel)/, 'it makes form fields, which do not work in emails'],
  [
    /^(form|input|button|select|option|textarea)$/,
    'forms do not work in emails. Link to a page with the form',
  ],
  [
    /^(i?frame|object|embed|video|audio)$/,
    'mail programs show no pages and players. Use an image with a link',
  ],
  [/^(svg|math)$/, 'many mail programs do not show it. Use an image'],
];

const CONTROL = /[^\P{Cc}\t\n\r]/u;
const BRACES = /\{\{(?:([^{}]*)\}\})?/g;
const TAG = /<(\/?)([a-z][a-z0-9]*(?:[:-][a-z0-9]+)*)/iy;
const ATTRIBUTE = /\s+([a-z][\w:.-]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>`]+)))?/iy;
const TAG_END = /\s*(\/?)>/y;
const DOCTYPE = /<!doctype[^<>]{0,250}>/iy;
const CONDITION = /^\[if [^\]<>]{1,80}\]>/;
const ENDIF = '<![endif]';

type Scanning = { isMjml: boolean; organization: number; isCompiled?: boolean };

/**
 * Reads a layout so strictly that mail programs and browsers read it in the same way, and writes it anew: with markers in place of
 * the parts, of addresses, and of what the renderer adds (`inLayout` in shared/email/layout.ts).
 */
function scan(source: string, { isMjml, organization, isCompiled = false }: Scanning): string {
  const faults: string[] = [];
  const out: string[] = [];
  const open: { name: string; start: number; isHidden: boolean }[] = [];
  const slots = new Set<string>();
  const count = new Map<string, number>();
  const root = isMjml ? 'mjml' : 'html';
  let at = 0;
  let mjmlElements = 0;
  /** Where the comment ends that Outlook alone reads. */
  let commentEnd: number | undefined;
  /** Between comments that hide something from Outlook. */
  let isHiddenFromOutlook = false;

  const fault = (message: string, place = at) =>
    void faults.push(isCompiled ? message : `Line ${source.slice(0, place).split('\n').length}: ${message}`);
  /** Nothing after it can be read. */
  function stop(message: string, place = at): undefined {
    fault(message, place);
    at = source.length;
  }
  function match(pattern: RegExp) {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (found) at = pattern.lastIndex;
    return found;
  }

  function placeSlot(slot: string, place: number) {
    const parent = open.at(-1)?.name ?? '';
    const isFit = HOLDERS.has(parent) && open.every(({ name }) => isAround(name));
    if (slots.has(slot)) fault(`${slot} is there twice. Remove one of them.`, place);
    else if (!isFit || commentEnd) {
      fault(`Put ${slot} into ${isMjml ? '<mj-text>' : 'a <td> or a <div>'}, not into <${parent}>.`, place);
    } else if (isHiddenFromOutlook) fault(`${slot} must not be between comments, which hide it.`, place);
    else if (slot !== '{{preheader}}' && open.some(({ isHidden }) => isHidden)) {
      fault(`A style around ${slot} hides it. Recipients must be able to see it.`, place);
    }
    slots.add(slot);
  }

  const writeText = (text: string) =>
    text.replace(BRACES, (whole, inner: string | undefined, offset: number) => {
      const slot = `{{${inner?.trim()}}}`;
      if (Object.hasOwn(PLACES, slot)) placeSlot(slot, at + offset);
      else {
        const known = Object.keys(PLACES).join(', ');
        fault(
          `${whole.slice(0, 40)} is not filled in here. Use ${known}, which has the link to unsubscribe.`,
          at + offset,
        );
      }
      return slot;
    });

  const requireNoBraces = (text: string, place: number) => {
    if (text.includes('{{')) fault('Placeholders work between elements only.', place);
  };

  /** An address, marked if it is that of an uploaded image. */
  function writeImage(address: string, place: number): string {
    const text = address.trim();
    const [own, owner] = OWN_FILE.exec(text) ?? [];
    if (own && Number(owner) === organization) return `{{files}}${text}`;
    if (!webAddress(text)?.startsWith('https:')) {
      fault('Images need an address that begins with https://, or that of an image uploaded here.', place);
    }
    return text;
  }

  function writeStyle(text: string, place: number): string {
    requireNoBraces(text, place);
    if (/@import/i.test(text)) fault(`@import cannot be used: ${STYLE_SHEETS}.`, place);
    if (/<|\\[a-z0-9\s]/i.test(text)) fault('Remove the < or the \\ from the style.', place);
    if (/(?<![\w-])(expression\s*\(|behavior\s*:)|-moz-binding|(java|vb)script:/i.test(text)) {
      fault('Styles cannot run code. Remove it.', place);
    }
    let unread = text.match(/url\s*\(/gi)?.length ?? 0;
    const written = text.replace(/url\(\s*(["']?)([^"'()]*)\1\s*\)/gi, (_, mark: string, address: string) => {
      unread--;
      return `url(${mark}${writeImage(address, place)}${mark})`;
    });
    if (unread > 0) fault('Write url() with an address that begins with https://.', place);
    return written;
  }

  function writeAttribute(tag: string, name: string, raw: string, place: number): string {
    const value = decoded(raw);
    const key = name.toLowerCase();
    requireNoBraces(value, place);
    if (/^(on.*|srcdoc|srcset|action|formaction|ping|poster|data|base-url|hamburger)$/.test(key)) {
      fault(`Remove ${key}: it does not work in emails.`, place);
    } else if (key === 'http-equiv' && !/^(content-type|x-ua-compatible)$/i.test(value)) {
      fault(`Remove http-equiv="${value.slice(0, 30)}": emails do not lead elsewhere.`, place);
    } else if (key === 'inline' && tag === 'mj-style') {
      fault('Remove inline: the styles stay in the head.', place);
    } else if (/(^|:)href$/.test(key)) {
      const address = linkedAddress(value.trim())?.replace(/[{}]/g, encodeURIComponent);
      if (!address) fault(`A link needs a whole address such as https://, not ${value.slice(0, 40)}`, place);
      return `{{href ${address}}}`;
    } else if (/(^|:)src$|^background(-url)?$/.test(key)) {
      return ` ${name}="${escaped(writeImage(value, place))}"`;
    } else if (key === 'style') {
      if (/&\w+;/.test(value)) fault('Write the character itself in place of the & in the style.', place);
      return ` style="${escaped(writeStyle(value, place))}"`;
    } else if (/^((java|vb)script|data):/i.test(value.replace(/\s/g, ''))) fault(`Remove ${key}.`, place);
    return ` ${name}="${raw.replace(/[<>"]/g, escaped)}"`;
  }

  /** Reads and writes the tag at `at`; undefined if it is none. */
  function readTag() {
    const start = at;
    const [found, slash = '', written = ''] = match(TAG) ?? [];
    if (!found) return stop('Write &lt; in place of this <.', start);
    const name = written.toLowerCase();
    const attributes = new Map<string, string>();
    for (let one = match(ATTRIBUTE); one; one = match(ATTRIBUTE)) {
      const [, named = '', ...values] = one;
      const key = named.toLowerCase();
      if (attributes.has(key)) fault(`<${name}> has ${key} twice. Remove one of them.`, start);
      attributes.set(
        key,
        writeAttribute(name, named, values.find(value => value !== undefined) ?? '', start),
      );
    }
    const end = match(TAG_END);
    if (!end || (commentEnd && at > commentEnd)) {
      return stop(`<${name}> is not complete: look at its quotes and its >.`, start);
    }
    if (!slash && !HTML.has(name) && !(isMjml && MJML.has(name)) && !(commentEnd && OUTLOOK.test(name))) {
      const [, reason = 'it is unknown in emails'] = REASONS.find(([pattern]) => pattern.test(name)) ?? [];
      fault(`<${name}> cannot be used: ${reason}.`, start);
    }
    const isEnd = slash !== '';
    const isSelfClosing = end[1] !== '';
    // The renderer says which language it is. MJML's own are those of an unknown one.
    const texts =
      name === 'html'
        ? [
            ' {{language}}',
            ...[...attributes].flatMap(([key, text]) => (/lang$|^dir$/.test(key) ? [] : [text])),
          ]
        : [...attributes.values()].filter(text => text !== ' lang="und"' && text !== ' dir="auto"');
    const text = isEnd ? `</${written}>` : `<${written}${texts.join('')}${isSelfClosing ? ' /' : ''}>`;
    const isHidden = HIDING.test(attributes.get('style') ?? '');
    return { name, start, text, isEnd, isSelfClosing, isHidden };
  }

  type Tag = NonNullable<ReturnType<typeof readTag>>;

  function openElement({ name, start, text, isSelfClosing, isHidden }: Tag) {
    const parent = open.at(-1)?.name;
    if (MJML.has(name)) mjmlElements++;
    if ((name === root) !== (parent === undefined) || (name === root && count.has(root))) {
      fault(`Everything must be in one <${root}>.`, start);
    }
    if (/^(head|body)$/.test(name) && parent !== 'html') fault(`<${name}> must be right in <html>.`, start);
    if (isSelfClosing && !MJML.has(name) && !VOID.has(name)) {
      fault(`Write <${name}></${name}> in place of <${name}/>.`, start);
    }
    count.set(name, (count.get(name) ?? 0) + 1);
    out.push(text);
    if (VOID.has(name) || isSelfClosing || RAW.has(name)) return;
    open.push({ name, start, isHidden });
    if (open.length > MOST_DEPTH) stop('Elements are nested too deeply.', start);
    if (mjmlElements > MOST_MJML_ELEMENTS) {
      stop(`The layout has more than ${MOST_MJML_ELEMENTS} elements. Remove some.`, start);
    }
  }

  function closeElement({ name, start, text }: Tag) {
    const last = open.pop();
    if (!last) return stop(`</${name}> closes nothing.`, start);
    if (last.name !== name) return stop(`<${last.name}> is not closed before </${name}>.`, last.start);
    if (name === 'head' && !count.has('title')) out.push('<title>{{subject}}</title>');
    if (name === 'body') out.push('{{pixel}}');
    out.push(text);
  }

  /** Up to the end of an element whose content is no markup. */
  function readRaw({ name, start }: Tag) {
    const ending = new RegExp(`</${name}`, 'gi');
    ending.lastIndex = at;
    const end = ending.exec(source)?.index;
    if (end === undefined) return stop(`<${name}> is not closed.`, start);
    const text = source.slice(at, end);
    if (name === 'title') requireNoBraces(text, start);
    out.push(name === 'title' ? '{{subject}}' : writeStyle(text, start));
    at = end;
    const closing = readTag();
    if (closing?.name === name) out.push(closing.text);
    else stop(`<${name}> is not closed.`, start);
  }

  function readComment() {
    const start = at;
    const end = source.indexOf('-->', at + 4);
    if (end < 0 || commentEnd) return stop('This comment is not closed by -->.', start);
    const text = source.slice(at + 4, end);
    const [opening = ''] = CONDITION.exec(text) ?? [];
    const rest = text.slice(opening.length).trim();
    requireNoBraces(text, start);
    at = end + 3;
    if (rest === ENDIF || (opening && /^<!(--)?$/.test(rest))) {
      isHiddenFromOutlook = rest !== ENDIF;
      out.push(`<!--${opening}${isHiddenFromOutlook ? '<!' : ENDIF}-->`);
    } else if (/^-?>|--!|<!--/.test(text) || (opening && !text.endsWith(ENDIF))) {
      stop('Write this comment without others in it, and with <![endif]--> after an [if].', start);
    } else if (opening) {
      out.push(`<!--${opening}`);
      at = start + 4 + opening.length;
      commentEnd = end - ENDIF.length;
    }
    // Others are left out: nobody sees them.
  }

  const control = CONTROL.exec(source);
  if (control) stop('Remove the invisible character.', control.index);
  while (at < source.length && faults.length < MOST_FAULTS) {
    const next = source.indexOf('<', at);
    const end = next < 0 ? source.length : next;
    out.push(writeText(source.slice(at, end)));
    at = end;
    if (at === commentEnd) {
      out.push(`${ENDIF}-->`);
      at += ENDIF.length + 3;
      commentEnd = undefined;
    } else if (source.startsWith('<!--', at)) readComment();
    else if (/^<!doctype/i.test(source.slice(at, at + 9))) {
      const [doctype] = match(DOCTYPE) ?? [];
      if (doctype && count.size === 0) out.push(doctype);
      else stop('Write <!doctype html> once, at the beginning.');
    } else if (at < source.length) {
      const tag = readTag();
      if (tag && commentEnd) out.push(tag.text);
      else if (tag?.isEnd) closeElement(tag);
      else if (tag) openElement(tag);
      if (tag && RAW.has(tag.name) && !tag.isEnd && !tag.isSelfClosing) readRaw(tag);
    }
  }
  if (faults.length === 0) {
    const last = open.at(-1);
    if (last) fault(`<${last.name}> is not closed.`, last.start);
    const required = isMjml ? [] : ['html', 'head', 'body'];
    const lacking = required.filter(name => count.get(name) !== 1);
    faults.push(...lacking.map(name => `The layout must have <${name}> once.`));
    for (const [slot, where] of Object.entries(PLACES)) {
      if (!slots.has(slot)) faults.push(`Put ${slot} ${where}.`);
    }
  }
  if (faults.length > 0) throw refused(faults);
  return out.join('');
}

const isAround = (name: string) => HOLDERS.has(name) || AROUND.has(name) || MJML.has(name);
const HIDING = /display\s*:\s*none|visibility\s*:\s*hidden/i;

const WHERE: Record<(typeof SLOTS)[number], string> = {
  preheader: 'at the beginning: inboxes show it beside the subject',
  pre_cta_content: 'where the text before the button goes',
  cta: 'where the button goes',
  after_cta_content: 'where the text after the button goes',
  footer: 'at the end: it has the link to unsubscribe, which every email needs',
};
const PLACES = Object.fromEntries(SLOTS.map(slot => [`{{${slot}}}`, WHERE[slot]]));

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Only the references that an attribute needs. An address or a style with any other is refused, or means what it says. */
const decoded = (text: string) =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));?/gi, (whole, decimal, hex, name) => {
    if (name) return NAMED[name.toLowerCase()] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
