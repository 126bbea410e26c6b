import { beforeAll, describe, expect, it } from 'vitest';
import type { RouteKey } from '#shared/routes.ts';
import { newAutomation, newTemplate } from '../support/content.ts';
import { apiStack } from '../support/handlers.ts';
import { addMembers, newList } from '../support/list.ts';
import { newMember, type Person } from '../support/member.ts';
import { newTeam, switchOff } from '../support/organization.ts';

const stack = apiStack();
const { call } = stack;

let owner: Person;
let list: string;
beforeAll(async () => {
  owner = await newMember(stack);
  list = await newList(stack, owner);
});

/** A call of somebody about an import of a list, by default of the owner about their list. */
const api = (
  key: RouteKey,
  memberImport = '',
  body?: object,
  by = owner,
  of = list,
  organization = by.home.id,
) => call(key, { token: by.token, organization, params: { list: of, memberImport }, body });
const IMPORTS = '/api/email-lists/{list}/imports';
const columns = [
  { position: 0, name: 'Email', to: 'email' },
  { position: 1, name: 'Ends', to: 'metadata', key: 'ends' },
];
const file = {
  file_name: 'people.csv',
  size: 100,
  fingerprint: 'a'.repeat(64),
  total_rows: 3,
  columns,
  consent: { source: 'https://example.com/form', date: '2029-01-31' },
};
const create = (fields: object = {}) => api(`POST ${IMPORTS}`, '', { ...file, ...fields });
const withSuppression = [columns[0], { position: 1, name: 'Why', to: 'suppression' }];
const rows = [
  ['ann@example.com', '2031-01-05'],
  ['nobody', ''],
  ['ben@example.com', ''],
];

describe('The API', () => {
  it('imports rows, counts them, shows the members, and undoes it', async () => {
    const { status, body: created } = await create();
    expect([status, created.state, created.consent]).toEqual([201, 'running', file.consent]);
    const send = () => api(`POST ${IMPORTS}/{memberImport}/rows`, created.id, { from: 1, rows });
    const { body: first } = await send();
    expect(first.import).toMatchObject({ state: 'done', counts: { created: 2, rejected: 1 } });
    expect((await send()).body).toEqual(first);
    await stack.fetchJson('POST', '/_local/drain');
    const { body: counted } = await api('GET /api/email-lists/{list}');
    expect(counted.subscribed_members).toBe(2);

    const { body: members } = await api(`GET ${IMPORTS}/{memberImport}/members`, created.id);
    expect(members).toMatchObject({
      data: [{ email: 'ann@example.com' }, { email: 'ben@example.com' }],
      next_cursor: null,
    });
    const { body: actions } = await call('GET /api/list-member-actions', {
      token: owner.token,
      organization: owner.home.id,
      query: { list_member_id: members.data[0].id },
    });
    expect(actions.at(-1).formatted_metadata.source).toBe(
      'Imported from people.csv, consent: https://example.com/form, 2029-01-31',
    );
    const { body: errors } = await api(`GET ${IMPORTS}/{memberImport}/errors`, created.id);
    expect(errors.data).toEqual([{ row: 2, column: 'Email', reason: 'Enter a valid email address' }]);
    for (const of of ['members', 'errors'] as const) {
      const params = { list, memberImport: created.id };
      const as = { token: owner.token, organization: owner.home.id };
      const after = { ...as, params, query: { cursor: '4.0' } };
      expect((await call(`GET ${IMPORTS}/{memberImport}/${of}`, after)).body).toEqual({
        data: [],
        next_cursor: null,
      });
    }

    const undo = () => api(`POST ${IMPORTS}/{memberImport}/undo`, created.id);
    expect((await undo()).body).toMatchObject({ state: 'undone', undo: { removed: 2, rows_left: 0 } });
    await stack.fetchJson('POST', '/_local/drain');
    const { body: after } = await api('GET /api/email-lists/{list}');
    expect(after.members_count).toBe(0);
    const { body: all } = await api(`GET ${IMPORTS}`);
    expect(all.map(({ id, state }: { id: string; state: string }) => [id, state])).toEqual([
      [created.id, 'undone'],
    ]);
  });

  it('finds no import by another list, nor from another organization', async () => {
    const { body: created } = await create();
    const other = await newList(stack, owner);
    const get = (of: string, by: Person) =>
      api(`GET ${IMPORTS}/{memberImport}`, created.id, undefined, by, of);
    expect((await get(list, owner)).status).toBe(200);
    expect((await get(other, owner)).status).toBe(404);
    expect((await get(list, await newMember(stack))).status).toBe(404);
  });

  it('lets only owners and admins suppress people', async () => {
    const { organization, user, admin } = await newTeam(stack);
    const { body: team } = await call('POST /api/email-lists', {
      token: admin.token,
      organization,
      body: { name: 'Team', domain: 'example.com', sender_name: 'Team', sender_address: 'team@example.com' },
    });
    const ofTeam = (by: Person, key: RouteKey, body?: object, memberImport = '') =>
      api(key, memberImport, body, by, team.id, organization);
    const suppressing = [{ as: 'bounce' }, { as: 'complaint' }, { columns: withSuppression }];
    const text = 'Only an owner or admin can import people as bounced or complained';
    for (const how of suppressing) {
      for (const refused of [
        await ofTeam(user, `POST ${IMPORTS}`, { ...file, ...how }),
        await ofTeam(user, `POST ${IMPORTS}/dry-run`, { columns, ...how, from: 1, rows }),
        await ofTeam(user, `POST ${IMPORTS}/forecast`, { columns, ...how, rows, of: 1 }),
      ]) {
        expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining(text)]);
      }
    }
    expect((await ofTeam(user, `GET ${IMPORTS}`)).body).toEqual([]);
    const { status, body: created } = await ofTeam(admin, `POST ${IMPORTS}`, { ...file, as: 'bounce' });
    expect(status).toBe(201);
    const send = (by: Person) =>
      ofTeam(by, `POST ${IMPORTS}/{memberImport}/rows`, { from: 1, rows }, created.id);
    expect([(await send(user)).status, (await send(admin)).status]).toEqual([403, 200]);
  });

  it('says before what becomes of rows, and which emails follow, and stores nothing', async () => {
    const sender = await newMember(stack);
    const own = { token: sender.token, organization: sender.home.id };
    const readers = await newList(stack, sender);
    const key = { mailgun_sending_key: 'key-1' };
    await call('PUT /api/email-lists/{list}/mailgun-key', { ...own, params: { list: readers }, body: key });
    await addMembers(stack, sender, readers, [{ email: 'ann@example.com', ends: '2031-01-05' }]);
    const once = { repeat: 'once', delay_days: 2 } as const;
    const automation = await newAutomation(stack, sender, { name: 'hello', lists: [readers], ...once });
    await newTemplate(stack, sender, { automation_ids: [automation] });
    const ask = async (what: 'dry-run' | 'forecast', body: object) =>
      (await api(`POST ${IMPORTS}/${what}`, '', { columns, rows, ...body }, sender, readers)).body;
    const statuses = async (mode: string) => {
      const { results } = await ask('dry-run', { from: 1, mode });
      return results.map(({ status }: { status: string }) => status);
    };
    const changed = ['ann@example.com', '2031-01-06'];
    expect(await statuses('update')).toEqual(['unchanged', 'rejected', 'created']);
    expect((await ask('dry-run', { from: 8, rows: [changed] })).results).toEqual([
      { row: 8, status: 'updated' },
    ]);
    expect((await ask('dry-run', { from: 8, rows: [changed], mode: 'skip' })).results).toEqual([
      { row: 8, status: 'skipped' },
    ]);
    const following = { next_24_hours: 0, next_30_days: 1 };
    const hello = { id: automation, name: 'hello', ...following };
    expect(await ask('forecast', { of: 3 })).toEqual({ ...following, automations: [hello], sampled: null });
    expect(await ask('forecast', { of: 3, start_nothing: true })).toMatchObject({ next_30_days: 0 });
    expect((await api(`GET ${IMPORTS}`, '', undefined, sender, readers)).body).toEqual([]);
    await switchOff(stack, own);
  });

  it('takes no rows of an import that was ended', async () => {
    const { body: created } = await create();
    const { body: ended } = await api(`PUT ${IMPORTS}/{memberImport}`, created.id, { state: 'cancelled' });
    expect(ended.state).toBe('cancelled');
    const { status, body } = await api(`POST ${IMPORTS}/{memberImport}/rows`, created.id, { from: 1, rows });
    expect([status, body.message]).toEqual([409, expect.stringContaining('was cancelled')]);
  });
});
