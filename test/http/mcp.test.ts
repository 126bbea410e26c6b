import { Client, type ElicitResult, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { beforeEach, describe, expect, it } from 'vitest';
import { type RouteKey, routes } from '#shared/routes.ts';
import { TOOL_TEXTS } from '#shared/tool-texts.ts';
import { callTools } from '../support/assistant.ts';
import { apiStack } from '../support/handlers.ts';
import { join } from '../support/organization.ts';
import { type Belongings, newBelongings, VALID } from '../support/valid-calls.ts';

const stack = apiStack();
const SITE = 'https://letterflow.test';

const post = (sent: Parameters<typeof callTools>[1] = {}) => callTools(stack, sent);

type Person = 'accept' | 'decline' | 'cancel';

/** The official client, used by a person who answers what it asks. */
async function connected(token: string, person?: Person, headers: Record<string, string> = {}) {
  const asked: string[] = [];
  const client = new Client(
    { name: 'assistant', version: '1.0.0' },
    { capabilities: person ? { elicitation: { form: {} } } : {}, versionNegotiation: { mode: 'auto' } },
  );
  if (person)
    client.setRequestHandler('elicitation/create', async ({ params }): Promise<ElicitResult> => {
      asked.push(params.message);
      return person === 'accept' ? { action: 'accept', content: { apply: true } } : { action: person };
    });
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', SITE), {
    requestInit: { headers: { authorization: `Bearer ${token}`, ...headers } },
    fetch: async (_, init) =>
      post({
        method: init?.method ?? 'GET',
        headers: Object.fromEntries(new Headers(init?.headers)),
        body: String(init?.body ?? ''),
      }),
  });
  await client.connect(transport);
  return { client, asked };
}

const textsOf = ({ content }: { content?: unknown }) =>
  (content as { text: string }[]).map(({ text }) => text);

describe('An assistant', () => {
  let owned: Belongings;
  let token: string;
  const as = () => ({ token: owned.owner.token, organization: owned.owner.home.id });
  const newToken = async (scopes: string[]) =>
    (
      await stack.call('POST /api/tokens', {
        ...as(),
        body: { name: `t${scopes.length}`, expiration: null, scopes },
      })
    ).body.token;
  const automationOf = async () =>
    (
      await stack.call('GET /api/automations/{automation}', {
        ...as(),
        params: { automation: owned.ids.automation },
      })
    ).body;

  beforeEach(async () => {
    owned = await newBelongings(stack);
    token = await newToken(['read', 'content', 'automations', 'sending']);
  });

  it('finds the tools, of which one alone changes something', async () => {
    const { client } = await connected(token);
    const { tools } = await client.listTools();
    expect(tools.filter(({ annotations }) => !annotations?.readOnlyHint).map(({ name }) => name)).toEqual([
      'applyPlan',
    ]);
    expect(tools.map(({ name }) => name).sort()).toEqual(Object.keys(TOOL_TEXTS).sort());
    // All of it is in front of a model at each question.
    expect(JSON.stringify(tools).length).toBeLessThan(80_000);
    expect(client.getInstructions()).toContain('createPlan');
  });

  it.each(Object.keys(TOOL_TEXTS).filter(name => name !== 'applyPlan'))(
    '%s answers what the call of the API answers',
    async name => {
      const { client } = await connected(token);
      const key = (Object.keys(routes) as RouteKey[]).find(key => routes[key].id === name) as RouteKey;
      const { params = {}, query = {}, body = {} } = VALID[key](owned.ids) as Partial<Record<string, object>>;
      const result = await client.callTool({ name, arguments: { ...params, ...query, ...body } });
      expect(result.isError, textsOf(result).join()).toBeFalsy();
      const [note, data] = textsOf(result);
      expect(note).toContain('no instructions');
      expect(JSON.parse(data ?? '')).toBeTruthy();
    },
  );

  it('says why somebody did not get an email, and proposes what a person then applies', async () => {
    const { client, asked } = await connected(token, 'accept');
    const { automation, listMember } = owned.ids;
    const why = await client.callTool({ name: 'explainListMember', arguments: { listMember, automation } });
    const before = await automationOf();
    // They were added now, and it mails them years later.
    const { next } = JSON.parse(textsOf(why)[1] ?? '');
    expect(Date.parse(next.due_at) - Date.now()).toBeGreaterThan(
      (before.delay_days - 2) * 24 * 60 * 60 * 1000,
    );
    const proposed = await client.callTool({
      name: 'createPlan',
      arguments: { automations: [{ id: automation, delay_days: 3 }] },
    });
    const { hash, changes } = JSON.parse(textsOf(proposed)[1] ?? '');
    expect(changes).toMatchObject([{ before: { delay_days: before.delay_days }, after: { delay_days: 3 } }]);
    expect((await automationOf()).delay_days).toBe(before.delay_days);
    const applied = await client.callTool({ name: 'applyPlan', arguments: { hash } });
    expect(applied.isError).toBeFalsy();
    expect(asked).toEqual([expect.stringContaining(`change automation ${before.name}`)]);
    expect((await automationOf()).delay_days).toBe(3);
    const { body: record } = await stack.call('GET /api/organizations/{organization}/record', {
      ...as(),
      params: { organization: owned.ids.organization },
      query: { object: automation },
    });
    const changed = expect.objectContaining({ delay_days: { from: before.delay_days, to: 3 } });
    expect(record.data).toContainEqual(expect.objectContaining({ means: 'agent', changes: changed }));
    // Twice is once.
    expect(textsOf(await client.callTool({ name: 'applyPlan', arguments: { hash } }))[0]).toContain(
      'applied already',
    );
    expect(asked).toHaveLength(1);
  });

  const planned = async (client: Client) => {
    const { automation } = owned.ids;
    const result = await client.callTool({
      name: 'createPlan',
      arguments: { automations: [{ id: automation, delay_days: 3 }] },
    });
    return JSON.parse(textsOf(result)[1] ?? '').hash as string;
  };

  it.each(['decline', 'cancel'] as const)('changes nothing where the person answers %s', async person => {
    const { client, asked } = await connected(token, person);
    const before = await automationOf();
    const result = await client.callTool({ name: 'applyPlan', arguments: { hash: await planned(client) } });
    expect(textsOf(result)).toEqual(['The person did not agree, so nothing was changed.']);
    expect(asked).toHaveLength(1);
    expect(await automationOf()).toEqual(before);
  });

  it('names deletions and limits first, where a plan changes much', async () => {
    const { client, asked } = await connected(token, 'decline');
    const automations = Array.from({ length: 12 }, (_, nth) => ({ name: `a_${nth}`, active: false }));
    const safeguards = { max_emails_1_hour: 7 };
    const made = await client.callTool({ name: 'createPlan', arguments: { automations, safeguards } });
    const { hash } = JSON.parse(textsOf(made)[1] ?? '');
    await client.callTool({ name: 'applyPlan', arguments: { hash } });
    expect(asked[0]).toContain('13 changes: change safeguards, create automation a_0, ');
  });

  it('that cannot ask anybody applies nothing', async () => {
    const { client } = await connected(token);
    const before = await automationOf();
    const hash = await planned(client);
    await expect(client.callTool({ name: 'applyPlan', arguments: { hash } })).rejects.toThrow(/elicitation/i);
    expect(await automationOf()).toEqual(before);
  });

  it('is told what has changed since a plan was made, and changes nothing', async () => {
    const { client } = await connected(token, 'accept');
    const hash = await planned(client);
    const params = { automation: owned.ids.automation };
    await stack.call('PUT /api/automations/{automation}', { ...as(), params, body: { delay_days: 7 } });
    const result = await client.callTool({ name: 'applyPlan', arguments: { hash } });
    expect(result.isError).toBe(true);
    const [marked, why] = textsOf(result);
    expect(why).toContain((await automationOf()).name);
    expect(marked).toContain('they are no instructions');
    expect((await automationOf()).delay_days).toBe(7);
  });

  it('is refused what its token lacks, by the name of the scope', async () => {
    const { client } = await connected(await newToken(['read']), 'accept');
    const result = await client.callTool({
      name: 'createPlan',
      arguments: { automations: [{ id: owned.ids.automation, delay_days: 3 }] },
    });
    expect(result.isError).toBe(true);
    expect(textsOf(result)[1]).toContain('scope automations');
  });

  it('gets nothing of another organization', async () => {
    const { client } = await connected(token, 'accept');
    const other = await newBelongings(stack);
    const { listMember, automation } = other.ids;
    const why = await client.callTool({ name: 'explainListMember', arguments: { listMember, automation } });
    expect(why.isError).toBe(true);
    const plan = await client.callTool({
      name: 'createPlan',
      arguments: { automations: [{ id: automation, delay_days: 3 }] },
    });
    expect(plan.isError).toBe(true);
    // An id is one segment of a path.
    const own = owned.ids.listMember;
    for (const listMember of [`${own}?x=1`, `${own}/`, '../tokens?x=/', '..', '.', '', undefined]) {
      const odd = await client.callTool({ name: 'getListMember', arguments: { listMember } });
      expect(odd.isError, listMember).toBe(true);
    }
    const { content } = await client.callTool({ name: 'getListMember', arguments: { listMember: '..' } });
    expect(content).toMatchObject([{ type: 'text' }, { text: 'listMember must be an id' }]);
  });
});

it('an assistant acts in the organization that it names', async () => {
  const [one, other] = [await newBelongings(stack), await newBelongings(stack)];
  await join(stack, other.owner, other.owner.home.id, one.owner, 'ADMIN');
  const { body } = await stack.call('POST /api/tokens', {
    token: one.owner.token,
    organization: one.owner.home.id,
    body: { name: 'both', expiration: null, scopes: ['read'] },
  });
  const idsIn = async (headers: Record<string, string>) => {
    const { client } = await connected(body.token, undefined, headers);
    const [, data] = textsOf(await client.callTool({ name: 'listAutomations', arguments: {} }));
    return JSON.parse(data ?? '').map(({ id }: { id: string }) => id);
  };
  expect(await idsIn({})).toContain(one.ids.automation);
  expect(await idsIn({ 'x-active-organization': String(other.owner.home.id) })).toContain(
    other.ids.automation,
  );
});

describe('A request', () => {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  let token: string;
  beforeEach(async () => {
    token = (await newBelongings(stack)).apiToken;
  });
  const answered = async (sent: Parameters<typeof post>[0] = {}) => {
    const response = await post({ body, ...sent, headers: { ...headers, ...sent.headers } });
    const isJson = response.headers.get('content-type')?.includes('json');
    return { status: response.status, message: isJson && JSON.parse(await response.text()).message };
  };

  it('without a valid token is refused as by the API', async () => {
    expect(await answered({})).toEqual({ status: 401, message: 'This API token is not valid.' });
    expect(await answered({ headers: { authorization: 'Bearer lf_wrong' } })).toMatchObject({ status: 401 });
  });

  it('of a page of another site is refused, and one of its own pages is not', async () => {
    const authorization = `Bearer ${token}`;
    const { host } = new URL(stack.url());
    const alike = [`https://evil-${host}`, `https://${host}.evil.example`, `http://${host}`];
    for (const origin of ['https://evil.example', ...alike])
      expect(await answered({ headers: { authorization, origin } }), origin).toMatchObject({ status: 403 });
    const own = { authorization, origin: stack.url() };
    expect(await answered({ headers: own })).toMatchObject({ status: 200 });
  });

  it.each(['GET', 'DELETE', 'OPTIONS'])('with %s is refused', async method => {
    expect(await answered({ method, headers: { authorization: `Bearer ${token}` } })).toMatchObject({
      status: 405,
    });
  });

  it('that is too large, or no JSON, changes nothing', async () => {
    const authorization = `Bearer ${token}`;
    expect(await answered({ headers: { authorization }, body: 'x'.repeat(1_100_000) })).toMatchObject({
      status: 413,
    });
    expect((await answered({ headers: { authorization }, body: '{' })).status).toBe(400);
    for (const batch of [`[${body},${body}]`, `\ufeff\n [${body}]`])
      expect(await answered({ headers: { authorization }, body: batch })).toEqual({
        status: 422,
        message: 'Send one message at a time.',
      });
  });
});
