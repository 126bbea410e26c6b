import { expect, it } from 'vitest';
import type { RouteKey } from '#shared/routes.ts';
import { items, textOf } from '../support/items.ts';
import { newProgrammedList } from '../support/list.ts';
import { newMember } from '../support/member.ts';
import { waitForPurges } from '../support/purge.ts';
import { sharedStack, withRaces } from '../support/stack.ts';
import { storedOf } from '../support/stored.ts';
import { credentialFor, newBelongings, VALID } from '../support/valid-calls.ts';

const stack = sharedStack();
withRaces();

const mutating = (Object.keys(VALID) as RouteKey[]).filter(key => !key.startsWith('GET '));

it('an organization that is deleted amid calls leaves nothing behind', async () => {
  const caller = await newBelongings(stack);
  const { body: other } = await stack.call('POST /api/organizations', {
    token: caller.owner.token,
    body: { name: 'Passing' },
  });
  const doomed = { ...caller, ids: { ...caller.ids, organization: String(other.id) } };
  const as = { token: caller.owner.token, organization: other.id };
  const list = (
    await stack.call('POST /api/email-lists', { ...as, ...VALID['POST /api/email-lists'](doomed.ids) })
  ).body.id;
  const ids = { ...doomed.ids, list };
  const ofOrganization = mutating.filter(key => {
    const { params = {}, body = {} } = VALID[key](ids);
    const named = [...Object.values<unknown>(params), ...Object.values(body)];
    return (named.includes(list) || named.includes(ids.organization)) && !key.startsWith('DELETE');
  });
  const calls = [...ofOrganization, ...ofOrganization, ...ofOrganization].map(key =>
    stack.call(key, { token: credentialFor(key, caller), organization: other.id, ...VALID[key](ids) }),
  );
  const deletion = stack.call('DELETE /api/organizations/{organization}', {
    token: caller.owner.token,
    params: { organization: ids.organization },
  });
  const answers = await Promise.all([...calls, deletion]);
  expect(answers.filter(({ status }) => status >= 500).map(({ text }) => text)).toEqual([]);
  expect((await deletion).status).toBe(204);
  // The organization's purge, and then those of its lists.
  await waitForPurges(stack, 2);
  const kept = await storedOf(stack, {
    ...doomed,
    owner: { ...caller.owner, id: `USER of ${other.id}`, email: `address of ${other.id}` },
    ids: {
      ...(Object.fromEntries(Object.keys(ids).map(name => [name, list])) as typeof ids),
      organization: ids.organization,
    },
  });
  expect(kept).toEqual({});
});

it('a list is purged also of the members that are added while it is deleted', async () => {
  const owner = await newMember(stack);
  const list = await newProgrammedList(stack, owner);
  const adding = Array.from({ length: 10 }, (_, call) =>
    list.send(
      Array.from({ length: 20 }, (_, at) => ({ email: `r${call}.${at}@example.com`, d: '2030-01-01' })),
    ),
  );
  const deleting = stack.call('DELETE /api/email-lists/{list}', {
    token: owner.token,
    organization: owner.home.id,
    params: { list: list.id },
  });
  const answers = await Promise.all([...adding, deleting]);
  expect(answers.every(({ status }) => [200, 204, 404].includes(status))).toBe(true);
  await waitForPurges(stack);
  const partitions = [`TRG#${list.id}`, `IN#${list.id}`, `LIST#${list.id}`];
  const left = (await items(stack)).filter(item => partitions.some(text => textOf(item).includes(text)));
  expect(left).toEqual([]);
});
