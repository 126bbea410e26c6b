import { client } from './client/client.gen.ts';
import { createEmailList, listEmailListsByToken, upsertListMembers } from './client/sdk.gen.ts';

// test/api/openapi-client.proof.test.ts compiles and runs this program together with the client that it generates.
const { BASE_URL = '', API_TOKEN = '' } = process.env;
client.setConfig({ baseUrl: BASE_URL, auth: API_TOKEN });

const { data: lists = [] } = await listEmailListsByToken();
const [list] = lists;
if (!list) throw new Error('There is no list.');
const members: number = list.members_count;

const path = { list: list.id };
const { data } = await upsertListMembers({
  path,
  headers: { 'Idempotency-Key': 'once' },
  body: { members: [{ email: 'ada@example.com', plan: 'team', seats: 3 }, { email: 'no address' }] },
});
const results = data?.results.map(({ email, status, errors }) => [email, status, errors ?? null]);

const { error, response } = await upsertListMembers({ path, body: { members: [] } });
const refused: { message: string; errors?: Record<string, string[]> } | undefined = error;

// @ts-expect-error: a list has a domain.
const incomplete = createEmailList({ body: { name: 'Customers' } }).catch(() => undefined);
await incomplete;

process.stdout.write(
  JSON.stringify({ name: list.name, members, results, status: response?.status, errors: refused?.errors }),
);
