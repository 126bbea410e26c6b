import { beforeAll, describe, expect, it } from 'vitest';
import { dataUrl, PNG } from '../support/images.ts';
import { items, textOf } from '../support/items.ts';
import { newProgrammedList } from '../support/list.ts';
import { newMember, type Person } from '../support/member.ts';
import { waitForPurges } from '../support/purge.ts';
import { sharedStack, withRaces } from '../support/stack.ts';

const stack = sharedStack();
withRaces();
const { call } = stack;

let owner: Person;
beforeAll(async () => {
  owner = await newMember(stack);
});
const drain = () => stack.fetchJson('POST', '/_local/drain');
const holding = async (...texts: string[]) =>
  (await items(stack)).filter(item => texts.some(text => textOf(item).includes(text)));

/** A list with enough members for several steps of a purge: with dates, unsubscribed, removed, and added again. */
async function fill(person: Person) {
  const list = await newProgrammedList(stack, person);
  const as = { token: person.token, organization: person.home.id };
  const members = Array.from({ length: 60 }, (_, at) => ({
    email: `m${at}@example.com`,
    signed_up: '2030-01-05',
    trial_ends: '2030-02-05T10:00:00Z',
  }));
  await list.send(members);
  await list.send(members.slice(0, 5).map(({ email }) => ({ email, is_subscribed: false })));
  const { body } = await call('GET /api/email-lists/{list}/members', { ...as, params: { list: list.id } });
  for (const { id } of body.data.slice(0, 3)) {
    await call('DELETE /api/list-members/{listMember}', { ...as, params: { listMember: id } });
  }
  await list.send(members.slice(0, 1));
  await call('PUT /api/email-lists/{list}/logo', {
    ...as,
    params: { list: list.id },
    body: { logo: dataUrl(PNG) },
  });
  const { logo } = (await call('GET /api/email-lists/{list}', { ...as, params: { list: list.id } })).body;
  return { ...list, logo: new URL(logo, stack.url()) };
}

describe('A deleted organization', () => {
  it('is purged with its logo, its invitations, its lists and all of its people', async () => {
    const { token } = owner;
    const { body } = await call('POST /api/organizations', { token, body: { name: 'Annex' } });
    const annex: Person = { ...owner, home: body };
    const [one, two] = [await fill(annex), await fill(annex)];
    const params = { organization: String(body.id) };
    const setLogo = (organization: number) =>
      call('PUT /api/organizations/{organization}/logo', {
        token,
        params: { organization: String(organization) },
        body: { logo: dataUrl(PNG) },
      });
    for (const organization of [body.id, owner.home.id])
      expect((await setLogo(organization)).status).toBe(200);
    const invitation = { email: 'guest@example.com', role: 'USER' };
    await call('POST /api/organizations/{organization}/members', { token, params, body: invitation });
    await drain();
    expect((await holding(`R#${body.id}#`)).length).toBeGreaterThan(100);
    const filesOf = (organization: number) =>
      stack.files().filter(name => name.includes(`files/${organization}/`)).length;
    const kept = filesOf(owner.home.id);
    expect([filesOf(body.id), kept > 0]).toEqual([3, true]);

    await call('DELETE /api/organizations/{organization}', { token, params });
    await waitForPurges(stack);
    expect(await holding(`R#${body.id}#`)).not.toEqual([]);
    // Its lists are purged as any others, from when it is.
    await waitForPurges(stack);
    const texts = [`R#${body.id}#`, `ORG#${body.id}"`, `ORG#${body.id}#`, one.id, two.id];
    expect(await holding(...texts)).toEqual([]);
    expect([filesOf(body.id), filesOf(owner.home.id)]).toEqual([0, kept]);
    expect((await fetch(one.logo)).status).toBe(403);
  });
});
