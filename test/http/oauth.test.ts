import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ASSISTANT_SCOPES } from '#shared/connection.ts';
import { TOOL_TEXTS } from '#shared/tool-texts.ts';
import { asking, assistant, callTools, REDIRECT, serveAssistants, VERIFIER } from '../support/assistant.ts';
import { apiStack } from '../support/handlers.ts';
import { items } from '../support/items.ts';
import { newMember, type Person } from '../support/member.ts';
import { join, newOrganization } from '../support/organization.ts';

const stack = apiStack();
const { call, mustNotBeLogged } = stack;

let owner: Person;
const as = (person = owner, organization = person.home.id) => ({ token: person.token, organization });
beforeAll(serveAssistants);
beforeEach(async () => {
  owner = await newMember(stack);
});

const form = (path: string, fields: Record<string, string> | string, headers = {}) =>
  stack.fetchJson('POST', path, {
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: String(new URLSearchParams(fields)),
  });

type Allowing = { asked?: object; scopes?: string[]; max_people?: number | null };
const connect = (caller = as(), { asked = asking(), scopes = ['read'], max_people = null }: Allowing = {}) =>
  call('POST /api/connections', { ...caller, body: { ...asked, scopes, max_people } });

async function codeFor(...of: Parameters<typeof connect>): Promise<string> {
  const { body } = await connect(...of);
  const code = new URL(body.redirect).searchParams.get('code') ?? '';
  mustNotBeLogged(code);
  return code;
}

const exchange = async (code: string, fields: Record<string, string> = {}) => {
  const answer = await form('/api/oauth/token', {
    grant_type: 'authorization_code',
    code,
    client_id: assistant(),
    redirect_uri: REDIRECT,
    code_verifier: VERIFIER,
    ...fields,
  });
  if (answer.body.access_token) mustNotBeLogged(answer.body.access_token);
  return answer;
};
const tokenFor = async (...of: Parameters<typeof connect>): Promise<string> =>
  (await exchange(await codeFor(...of))).body.access_token;

const me = (token: string, organization?: number) =>
  call('GET /api/v1/me', { token, ...(organization !== undefined && { organization }) });
const listed = async (person = owner) => (await call('GET /api/tokens', { token: person.token })).body.tokens;

describe('the official client', () => {
  /** A provider that keeps everything in memory, for an assistant on this machine. */
  function newProvider() {
    const kept: Record<string, unknown> = { client: { client_id: assistant(), issuer: stack.url() } };
    const keep = (name: string) => (value: unknown) => void Object.assign(kept, { [name]: value });
    const provider = {
      redirectUrl: REDIRECT,
      clientMetadata: { client_name: 'Helper', redirect_uris: [REDIRECT] },
      clientInformation: () => kept.client,
      saveClientInformation: keep('client'),
      tokens: () => kept.tokens,
      saveTokens: keep('tokens'),
      state: () => 'opaque',
      codeVerifier: () => String(kept.verifier),
      saveCodeVerifier: keep('verifier'),
      redirectToAuthorization: keep('asked'),
      discoveryState: () => kept.discovery,
      saveDiscoveryState: keep('discovery'),
    };
    return { kept, provider: provider as unknown as OAuthClientProvider };
  }
  const transportOf = (authProvider: OAuthClientProvider) =>
    new StreamableHTTPClientTransport(new URL('/mcp', stack.url()), {
      authProvider,
      fetch: async (of, { method = 'GET', headers, body } = {}) => {
        const { pathname } = new URL(String(of));
        const sent = { method, headers: Object.fromEntries(new Headers(headers)), body: String(body ?? '') };
        return pathname.startsWith('/api/')
          ? stack.get(pathname, sent)
          : callTools(stack, { ...sent, path: pathname });
      },
    });
  const newClient = () =>
    new Client({ name: 'helper', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });

  it('goes from a refusal to a tool call, by what its person allows', async () => {
    const { kept, provider } = newProvider();
    const first = transportOf(provider);
    await expect(newClient().connect(first)).rejects.toThrow(UnauthorizedError);
    const asked = new URL(String(kept.asked));
    expect(asked.origin + asked.pathname).toBe(`${stack.url()}/connect`);
    expect(kept.discovery).toMatchObject({
      authorizationServerMetadata: { client_id_metadata_document_supported: true, issuer: stack.url() },
    });
    const query = Object.fromEntries(asked.searchParams);
    const { body: request } = await call('GET /api/connections/request', { ...as(), query });
    const { host } = new URL(assistant());
    expect(request).toEqual({
      host,
      name: 'Helper',
      redirect_host: 'assistant.example.com',
      scopes: ASSISTANT_SCOPES,
      problem: null,
      cancel: `${REDIRECT}?error=access_denied&state=opaque&iss=${encodeURIComponent(stack.url())}`,
    });
    const { body } = await connect(as(), { asked: query, scopes: ['read', 'automations'], max_people: 5 });
    const answer = new URL(body.redirect).searchParams;
    mustNotBeLogged(answer.get('code') ?? '');
    expect(answer.get('state')).toBe('opaque');
    await first.finishAuth(answer);
    const client = newClient();
    await client.connect(transportOf(provider));
    const { access_token, scope } = kept.tokens as { access_token: string; scope: string };
    mustNotBeLogged(access_token);
    expect(scope).toBe('read automations');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(TOOL_TEXTS)));
    const { isError } = await client.callTool({ name: 'listAutomations', arguments: {} });
    expect(isError).toBeFalsy();

    expect((await me(access_token)).body).toMatchObject({
      organization: { id: owner.home.id },
      scopes: ['read', 'automations'],
      limits: { max_people: 5 },
    });
    const [token, ...others] = await listed();
    expect(others).toEqual([]);
    expect(token).toMatchObject({
      display_name: host,
      connected_in: owner.home.name,
      max_people: 5,
      expires_at: null,
    });
    const { body: record } = await call('GET /api/organizations/{organization}/record', {
      ...as(),
      params: { organization: String(owner.home.id) },
      query: { kind: 'token' },
    });
    expect(record.data).toMatchObject([{ what: 'created', means: 'agent', object: { name: token.name } }]);
    // Disconnected where the tokens are.
    await call('DELETE /api/tokens/{id}', { token: owner.token, params: { id: token.id } });
    expect((await me(access_token)).status).toBe(401);
    await expect(client.callTool({ name: 'listAutomations', arguments: {} })).rejects.toThrow();
  });
});

describe('what everybody can read', () => {
  const read = async (path: string, headers = {}) => {
    const response = await callTools(stack, { method: 'GET', path, headers });
    return { status: response.status, body: JSON.parse(await response.text()) };
  };

  it('names the addresses of the stage, whatever host is asked', async () => {
    const site = stack.url();
    for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'])
      expect(
        (await read(path, { host: 'evil.example', 'x-forwarded-host': 'evil.example' })).body,
      ).toMatchObject({ resource: `${site}/mcp`, authorization_servers: [site] });
    const { body } = await read('/.well-known/oauth-authorization-server', { host: 'evil.example' });
    expect(body).toMatchObject({ issuer: site, code_challenge_methods_supported: ['S256'] });
    expect(body.token_endpoint).toBe(`${site}/api/oauth/token`);
    expect(body).not.toHaveProperty('registration_endpoint');
    expect((await read('/.well-known/openid-configuration')).status).toBe(404);
    expect((await callTools(stack, { path: '/.well-known/oauth-protected-resource' })).status).toBe(405);
  });

  it('is named by the refusal of a call without a token', async () => {
    const { status, headers } = await callTools(stack, { body: '{}' });
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="${stack.url()}/.well-known/oauth-protected-resource/mcp", scope="${ASSISTANT_SCOPES.join(' ')}"`,
    );
  });
});

describe('a request of an assistant', () => {
  const request = (asked: Record<string, string>, caller = as()) =>
    call('GET /api/connections/request', { ...caller, query: asked });
  const without = (name: string) => {
    const { [name as 'state']: _, ...others } = asking();
    return others as Record<string, string>;
  };

  it.each([
    ['another type', { response_type: 'token' }, 'unsupported_response_type'],
    ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a challenge that is none', { code_challenge: 'short' }, 'invalid_request'],
    ['another resource', { resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
    ['unknown scopes alone', { scope: 'admin root' }, 'invalid_scope'],
  ])('with %s is refused, and the assistant may be told', async (_, wrong, error) => {
    const asked = { ...asking(), ...wrong };
    const { body } = await request(asked);
    expect(body.problem).toEqual(expect.any(String));
    expect(body.cancel).toMatch(new RegExp(`^${REDIRECT}\\?error=${error}&`));
    expect((await connect(as(), { asked })).status).toBe(422);
  });

  it.each(['code_challenge', 'code_challenge_method', 'response_type'])(
    'without %s is refused',
    async name => {
      expect((await request(without(name))).body.problem).toEqual(expect.any(String));
      expect((await connect(as(), { asked: without(name) })).status).toBe(422);
    },
  );

  it('asks for what the tools need where it names no scopes, and scopes that there are not are left out', async () => {
    expect((await request(without('scope'))).body.scopes).toEqual(ASSISTANT_SCOPES);
    expect((await request({ ...asking(), scope: 'offline_access read' })).body.scopes).toEqual(['read']);
  });

  const wrongDocuments = {
    'of another id': { client_id: 'https://elsewhere.example/client.json' },
    'with a secret': { client_secret: 'known' },
    'that proves itself by a secret': { token_endpoint_auth_method: 'client_secret_post' },
    'without addresses': { redirect_uris: REDIRECT },
  };
  it.each(Object.entries(wrongDocuments))(
    'with a document %s is refused, and nobody is told',
    async (_, document) => {
      const asked = asking(assistant('/wrong.json', document));
      const { status, body } = await request(asked);
      expect(status).toBe(422);
      expect(body).not.toHaveProperty('cancel');
      expect((await connect(as(), { asked })).status).toBe(422);
    },
  );

  it.each<[string, Parameters<typeof assistant>[1]]>([
    ['is not there', response => response.writeHead(404).end('{}')],
    ['is elsewhere', response => response.writeHead(302, { location: '/assistant.json' }).end()],
    [
      'is a page',
      (response, url) =>
        response
          .setHeader('content-type', 'text/html')
          .end(JSON.stringify({ client_id: url, redirect_uris: [REDIRECT] })),
    ],
    ['is no JSON', response => response.setHeader('content-type', 'application/json').end('{')],
    [
      'is too large',
      (response, url) =>
        response
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify({ client_id: url, redirect_uris: [REDIRECT], more: 'x'.repeat(20_000) })),
    ],
  ])('whose document %s is refused', async (_, document) => {
    expect((await request(asking(assistant('/odd.json', document)))).status).toBe(422);
  });

  it.each([
    'not an address',
    'ftp://assistant.example.com/client.json',
    'http://assistant.example.com/client.json',
    'http://169.254.169.254/client.json',
    'https://10.0.0.1/client.json',
    'https://intern/client.json',
    'https://user:secret@assistant.example.com/client.json',
    'https://assistant.example.com/',
    'https://assistant.example.com/a/../client.json',
    'https://assistant.example.com/client.json#part',
  ])('of %s is refused', async client_id => {
    expect((await request({ ...asking(), client_id })).status).toBe(422);
  });

  const LOCAL = ['http://localhost/callback', 'http://127.0.0.1:4000/callback?x=1'];
  it.each([
    [REDIRECT, true],
    [`${REDIRECT}/`, false],
    [`${REDIRECT}?next=1`, false],
    [`${REDIRECT}#part`, false],
    ['https://assistant.example.com.evil.example/callback', false],
    ['http://localhost:53121/callback', true],
    ['http://127.0.0.1:53121/callback?x=1', true],
    ['http://127.0.0.1:53121/callback', false],
    ['http://localhost:1@evil.example/callback', false],
    ['https://localhost/callback', false],
    ['javascript:alert(1)', false],
    ['helper://callback', false],
  ])('whose answer goes to %s is shown: %s', async (redirect_uri, isShown) => {
    // It may name what it likes: schemes other than those of the web are refused all the same.
    const redirect_uris = [REDIRECT, ...LOCAL, 'javascript:alert(1)', 'helper://callback'];
    const { status, body } = await request({
      ...asking(assistant('/native.json', { redirect_uris })),
      redirect_uri,
    });
    expect(status).toBe(isShown ? 200 : 422);
    if (isShown) expect(body.redirect_host).toBe(redirect_uri === REDIRECT ? 'assistant.example.com' : null);
  });

  it('has a name of one line, without what would hide or turn around letters', async () => {
    const client_name = `  Your\u202e bank\n\u0000${'!'.repeat(200)}`;
    const { body } = await request(asking(assistant('/named.json', { client_name })));
    expect(body.name).toBe(`Your bank${'!'.repeat(200)}`.slice(0, 60));
    expect((await request(asking(assistant('/n.json', { client_name: '\u200b' })))).body.name).toBeNull();
  });

  it('is loaded a bounded number of times in a minute', async () => {
    // More than in two minutes, one of which may end meanwhile.
    const answers = await Promise.all(Array.from({ length: 61 }, () => request(asking())));
    expect(answers.map(({ status }) => status)).toContain(429);
  });
});

describe('a person', () => {
  let viewer: Person;
  const depot = () => as(viewer, owner.home.id);
  beforeEach(async () => {
    viewer = await newMember(stack);
    await join(stack, owner, owner.home.id, viewer, 'VIEWER');
  });

  it('allows what their role has, and no more', async () => {
    expect((await connect(depot(), { scopes: ['read', 'automations'] })).body.errors).toHaveProperty(
      'scopes',
    );
    const token = await tokenFor(depot());
    expect((await me(token)).body).toMatchObject({ role: 'VIEWER', scopes: ['read'] });
  });

  it('allows no more than what is asked for, and something', async () => {
    for (const scopes of [['read', 'contacts'], [], ['admin']])
      expect((await connect(as(), { scopes })).body.errors, String(scopes)).toHaveProperty('scopes');
  });

  it('allows nothing in an organization of somebody else', async () => {
    const stranger = await newMember(stack);
    expect((await connect(as(stranger, owner.home.id))).status).toBe(403);
    expect(
      (await call('GET /api/connections/request', { ...as(stranger, owner.home.id), query: asking() }))
        .status,
    ).toBe(403);
  });

  it('gives access to one of their organizations alone', async () => {
    const other = await newOrganization(stack, owner);
    const token = await tokenFor(as(owner, other));
    expect((await me(token)).body.organization.id).toBe(other);
    expect((await me(token, other)).status).toBe(200);
    expect((await me(token, owner.home.id)).status).toBe(403);
    const record = (organization: number) =>
      call('GET /api/v1/organizations/{organization}/record', {
        token,
        params: { organization: String(organization) },
      });
    expect((await record(other)).status).toBe(200);
    expect((await record(owner.home.id)).status).toBe(403);
  });

  it('ends the access of an assistant with their role', async () => {
    await call('PUT /api/organizations/{organization}/members/{member}', {
      token: owner.token,
      params: { organization: String(owner.home.id), member: viewer.id },
      body: { role: 'USER' },
    });
    const token = await tokenFor(depot(), { scopes: ['read', 'automations'] });
    const late = await codeFor(depot(), { scopes: ['read', 'automations'] });
    await call('PUT /api/organizations/{organization}/members/{member}', {
      token: owner.token,
      params: { organization: String(owner.home.id), member: viewer.id },
      body: { role: 'VIEWER' },
    });
    const refused = await call('POST /api/v1/plans', { token, body: { automations: [{ name: 'mine' }] } });
    expect(refused).toMatchObject({ status: 403, body: { message: expect.stringContaining('Your role') } });
    expect((await me(token)).status).toBe(200);
    // What is not exchanged yet gets nothing.
    expect((await exchange(late)).body).toMatchObject({ error: 'invalid_grant' });
    await call('DELETE /api/organizations/{organization}/members/{member}', {
      token: owner.token,
      params: { organization: String(owner.home.id), member: viewer.id },
    });
    expect((await me(token)).status).toBe(403);
  });
});

describe('a code', () => {
  it.each([
    ['another verifier', { code_verifier: 'b'.repeat(43) }, 'invalid_grant'],
    ['the challenge as verifier', { code_verifier: asking().code_challenge }, 'invalid_grant'],
    ['another address', { redirect_uri: `${REDIRECT}/` }, 'invalid_grant'],
    ['another assistant', { client_id: 'https://elsewhere.example/client.json' }, 'invalid_grant'],
    ['another resource', { resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
    ['another grant', { grant_type: 'refresh_token' }, 'unsupported_grant_type'],
    ['no verifier', { code_verifier: '' }, 'invalid_request'],
    ['another code', { code: 'unknown' }, 'invalid_grant'],
  ])('with %s gets no token, and stays as it is', async (_, wrong, error) => {
    const code = await codeFor();
    const { status, body, headers } = await exchange(code, wrong);
    expect(status).toBe(400);
    expect(body).toEqual({ error, error_description: expect.any(String) });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(await listed()).toEqual([]);
    expect((await exchange(code, { resource: `${stack.url()}/mcp` })).status).toBe(200);
  });

  it('is a form in which no field comes twice', async () => {
    for (const answer of [
      await form('/api/oauth/token', 'grant_type=authorization_code&code=a&code=b'),
      await form('/api/oauth/token', 'code=a', { 'content-type': 'application/json' }),
      await form('/api/oauth/token', `code=${'a'.repeat(20_000)}`),
      await form('/api/oauth/token', ''),
    ])
      expect(answer).toMatchObject({ status: 400, body: { error: expect.any(String) } });
    expect((await stack.fetchJson('GET', '/api/oauth/token')).status).toBe(405);
    expect((await form('/api/oauth/authorize', {})).status).toBe(404);
  });

  it('is stored as a hash, as its token is', async () => {
    const code = await codeFor();
    const token = (await exchange(code)).body.access_token;
    const stored = JSON.stringify(await items(stack));
    expect(stored).toContain('GRANT#');
    for (const secret of [code, token]) expect(stored).not.toContain(secret);
  });

  it('is valid for a minute', async () => {
    const code = await codeFor();
    await stack.advance(60, { outage: true });
    expect((await exchange(code)).body).toMatchObject({ error: 'invalid_grant' });
  });

  it('that is used twice ends its token, even a day later', async () => {
    const code = await codeFor();
    const token = (await exchange(code)).body.access_token;
    expect((await me(token)).status).toBe(200);
    await stack.advance(60 * 60, { outage: true });
    expect((await exchange(code, { code_verifier: 'x' })).body).toMatchObject({ error: 'invalid_grant' });
    expect((await me(token)).status).toBe(401);
    expect(await listed()).toEqual([]);
  });

  it('that is used three times at once leads to one token at most, which has ended then', async () => {
    const code = await codeFor();
    const answers = await Promise.all([exchange(code), exchange(code), exchange(code)]);
    const tokens = answers.flatMap(({ body }) => body.access_token ?? []);
    expect(tokens).toHaveLength(1);
    expect((await me(tokens[0])).status).toBe(401);
    expect(await listed()).toEqual([]);
  });

  it('makes a connection of its own each time, beside the tokens', async () => {
    const [first, second] = [await tokenFor(), await tokenFor()];
    expect(await listed()).toHaveLength(2);
    for (const token of [first, second]) expect((await me(token)).status).toBe(200);
  });
});

describe('a token', () => {
  it('is ended by the assistant that has it, and by no other', async () => {
    const token = await tokenFor();
    const revoke = (client_id: string, value = token) =>
      form('/api/oauth/revoke', { token: value, client_id });
    expect((await revoke('https://elsewhere.example/client.json')).status).toBe(200);
    expect((await me(token)).status).toBe(200);
    expect((await revoke(assistant())).status).toBe(200);
    expect((await me(token)).status).toBe(401);
    expect((await revoke(assistant())).status).toBe(200);
    expect((await form('/api/oauth/revoke', { client_id: assistant() })).status).toBe(400);
    // A token that somebody made by hand is ended on their profile.
    const { body } = await call('POST /api/tokens', { ...as(), body: { name: 'mine', expiration: null } });
    mustNotBeLogged(body.token);
    await revoke(assistant(), body.token);
    expect(await listed()).toHaveLength(1);
  });

  it('opens the calls of the tools, so that all it changes is in a plan, and its limit of people holds', async () => {
    const scopes = ['read', 'automations', 'sending'];
    const asked = { ...asking(), scope: scopes.join(' ') };
    const token = await tokenFor(as(), { asked, scopes, max_people: 0 });
    const body = { name: 'direct', active: true };
    expect(await call('POST /api/v1/automations', { token, body })).toMatchObject({
      status: 403,
      body: { message: 'An assistant has its tools alone, and changes things by plans.' },
    });
    expect((await call('GET /api/v1/automations', { token, query: { page: '1' } })).body).toEqual([]);
    expect((await call('POST /api/v1/plans', { token, body: { automations: [body] } })).status).toBe(201);
  });

  it('opens no call of the app', async () => {
    const token = await tokenFor();
    expect((await call('GET /api/tokens', { token })).status).toBe(401);
    expect((await connect({ token, organization: owner.home.id })).status).toBe(401);
  });
});
