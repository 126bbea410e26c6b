import { beforeEach, expect, it } from 'vitest';
import { apiStack } from '../support/handlers.ts';
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
