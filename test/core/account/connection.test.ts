import { expect, it, vi } from 'vitest';
import * as connection from '#core/account/connection.ts';
import * as token from '#core/account/token.ts';
import { asking, REDIRECT, VERIFIER } from '#test/support/assistant.ts';
import { freshTable } from '#test/support/engine.ts';
import { newUser } from '#test/support/people.ts';

const table = freshTable();
const site = 'https://letterflow.test';
const now = new Date('2030-01-01T00:00:00Z');
const CLIENT = 'https://assistant.example.com/client.json';
/** Loads the documents of all assistants. */
const load = vi.fn(async (client_id: string): Promise<unknown> => ({ client_id, redirect_uris: [REDIRECT] }));

it('an assistant is known by a plain https address alone, and nothing is loaded from another one', async () => {
  const { host, redirect_host } = await connection.requested({ site, load }, asking(CLIENT));
  expect([host, redirect_host]).toEqual(['assistant.example.com', 'assistant.example.com']);
  load.mockClear();
  for (const client_id of [
    'http://assistant.example.com/client.json',
    'http://localhost.example.com/client.json',
    'http://localhost:1@example.com/client.json',
    'https://ASSISTANT.example.com/client.json',
    'https://assistant.example.com:443/client.json',
    'https://assistant.example.com/./client.json',
    'https://assistant.example.com',
    'https://assistant.example.com/',
    'https://user@assistant.example.com/client.json',
    'https://:secret@assistant.example.com/client.json',
    `${CLIENT}#part`,
    'data:application/json,{}',
    '',
  ])
    await expect(connection.requested({ site, load }, asking(client_id)), client_id).rejects.toThrow(
      'Who asks cannot be checked',
    );
  expect(load).not.toHaveBeenCalled();
});

it('what is no document of the assistant is refused', async () => {
  for (const document of [undefined, null, [], 'text', 1, {}, { client_id: `${CLIENT}/` }]) {
    const asked = connection.requested({ site, load: async () => document }, asking(CLIENT));
    await expect(asked).rejects.toThrow('Who asks cannot be checked');
  }
  const odd = { toString: 1, valueOf: 1 };
  const of = {
    client_id: CLIENT,
    redirect_uris: [REDIRECT],
    client_name: odd,
    token_endpoint_auth_method: odd,
  };
  expect(await connection.requested({ site, load: async () => of }, asking(CLIENT))).toMatchObject({
    name: null,
  });
  const withOdd = async (redirect_uris: unknown) =>
    connection.requested({ site, load: async () => ({ client_id: CLIENT, redirect_uris }) }, asking(CLIENT));
  for (const odd of [undefined, null, {}, [], [null, 1, {}], [{ toString: 1, valueOf: 1 }], REDIRECT])
    await expect(withOdd(odd)).rejects.toThrow('an address that is not one of the assistant');
});

it('the name of its token is short, however long its host is, and another one each time', async () => {
  const user = await newUser(table, now);
  const host = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.example.com`;
  const client_id = `https://${host}/client.json`;
  const requireScopes = async () => {};
  const recordedOf = async () => () => [];
  for (const _ of [1, 2]) {
    const { redirect } = await connection.allow({ table, now, site, load }, asking(client_id), {
      user_id: user.id,
      organization: { id: 1, name: 'Depot' },
      scopes: ['read'],
      max_people: null,
    });
    const code = new URL(redirect).searchParams.get('code') ?? '';
    const form = {
      grant_type: 'authorization_code',
      code,
      client_id,
      redirect_uri: REDIRECT,
      code_verifier: VERIFIER,
    };
    await connection.exchange({ table, now, site, requireScopes, recordedOf }, form);
  }
  const tokens = await token.listOf({ table }, user.id);
  expect(tokens).toMatchObject([
    { display_name: host, connected_in: 'Depot' },
    { display_name: host, connected_in: 'Depot' },
  ]);
  for (const { id } of tokens) expect(id.length).toBeLessThan(100);
});
