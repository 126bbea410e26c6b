import { beforeEach, expect, it } from 'vitest';
import { LAYOUT_EXAMPLES } from '#shared/layout-examples.ts';
import { apiStack } from '../support/handlers.ts';
import { layoutWith } from '../support/layout.ts';
import { newList } from '../support/list.ts';
import { LOOK } from '../support/look.ts';
import { newMember, type Person } from '../support/member.ts';

const stack = apiStack();
const { call } = stack;

let owner: Person;
let list: string;
beforeEach(async () => {
  owner = await newMember(stack);
  list = await newList(stack, owner);
});
const as = (person = owner) => ({ token: person.token, organization: person.home.id });
const put = (look: unknown, of = list, person = owner) =>
  call('PUT /api/email-lists/{list}/look', { ...as(person), params: { list: of }, body: { look } as object });
const read = () => call('GET /api/email-lists/{list}/look', { ...as(), params: { list } });

it('a list has the design of its organization, or its own', async () => {
  expect((await read()).body).toEqual({ look: null, inherited: null });
  const red = { ...LOOK, accent: '#b91c1c' };
  const set = await call('PUT /api/look', { ...as(), body: { look: red } });
  expect([set.status, set.body]).toEqual([200, { look: red }]);
  expect((await read()).body).toEqual({ look: null, inherited: red });
  expect(await put(LOOK)).toMatchObject({ status: 200, body: { look: LOOK, inherited: red } });
  expect((await call('GET /api/look', as())).body).toEqual({ look: red });
  expect((await put(null)).body).toEqual((await read()).body);
});

it.each([
  [
    { accent: '#facc15' },
    'look.accent',
    'The button’s text would be hard to read on this color. Choose a darker one, or dark text.',
  ],
  [
    { links: [{ label: 'Shop', url: 'ftp://x' }] },
    'look.links.0.url',
    'Enter a link that begins with https://',
  ],
  ['blue', 'look', 'A design is an object, or null to use none of its own'],
  [undefined, 'look', 'A design is an object, or null to use none of its own'],
])('a design %j is refused at its field, and changes nothing', async (look, field, text) => {
  await put(LOOK);
  for (const answer of [await put(look), await call('PUT /api/look', { ...as(), body: { look } as object })])
    expect(answer).toMatchObject({ status: 422, body: { errors: { [field]: [text] } } });
  expect((await read()).body).toEqual({ look: LOOK, inherited: null });
});

it('the list of another organization is not found', async () => {
  const other = await newMember(stack);
  expect((await put(LOOK, list, other)).status).toBe(404);
  expect((await read()).body.look).toBeNull();
});

const layout = (source: string) => ({ kind: 'html' as const, source });
const check = (source: string, person = owner) =>
  call('POST /api/layout-check', { ...as(person), body: layout(source) });

it('a layout is compiled when it is saved, and stays until there is none', async () => {
  const source = layoutWith('<a href="https://a.example.com/">Shop</a>');
  const html = expect.stringContaining('<a{{href https://a.example.com/}}>Shop</a>');
  const compiled = { kind: 'html', source, html };
  expect((await check(source)).body).toEqual(compiled);
  expect((await read()).body.look).toBeNull();
  // What a caller says of the HTML is not stored.
  const look = { ...LOOK, layout: { ...layout(source), html: '<script>' } };
  expect((await put(look)).body).toEqual({ look: { ...LOOK, layout: compiled }, inherited: null });
  expect((await call('PUT /api/look', { ...as(), body: { look } })).body).toEqual({
    look: { ...LOOK, layout: compiled },
  });
  expect((await put({ ...LOOK, layout: null })).body.look).toEqual(LOOK);
});

it('MJML is compiled, and what is wrong in it has its line', async () => {
  const mjml = (text: string) => ({
    kind: 'mjml' as const,
    source: LAYOUT_EXAMPLES.mjml.replace('Your company', text),
  });
  const good = await put({ ...LOOK, layout: mjml('Post office') });
  expect(good).toMatchObject({
    status: 200,
    body: { look: { layout: { html: expect.stringContaining('mj-column-per-100') } } },
  });
  const bad = await put({ ...LOOK, layout: mjml('Post <i>office') });
  expect(bad).toMatchObject({
    status: 422,
    body: { errors: { layout: ['Line 21: <i> is not closed before </a>.'] } },
  });
});

it.each([
  ['5 MB of HTML', 'x'.repeat(5_000_000), 422, 'The layout has 4,883 KB. At most 256 KB can be saved.'],
  ['more than a request may have', 'x'.repeat(5_500_000), 413, undefined],
  [
    'no link to unsubscribe',
    layoutWith().replace('{{footer}}', ''),
    422,
    'Put {{footer}} at the end: it has the link to unsubscribe, which every email needs.',
  ],
  [
    'an image of another organization',
    layoutWith('<img src="/files/999999/ab.png">'),
    422,
    'Line 2: Images need an address that begins with https://, or that of an image uploaded here.',
  ],
])('a layout with %s is refused at its field, and changes nothing', async (_, source, status, text) => {
  await put(LOOK);
  for (const answer of [await check(source), await put({ ...LOOK, layout: layout(source) })]) {
    expect(answer.status).toBe(status);
    expect((answer.body as { errors?: unknown }).errors).toEqual(text && { layout: [text] });
  }
  expect((await read()).body).toEqual({ look: LOOK, inherited: null });
});
