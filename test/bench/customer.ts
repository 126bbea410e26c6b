import type { Caller, Product } from './product.ts';

export type Customer = { web: Caller; program: Caller; list: string };

export async function newCustomer(product: Product, name: string): Promise<Customer> {
  const { call, mailTo } = product;
  const email = `${name}@example.com`;
  await call('POST /api/login/request', { body: { email } });
  const code = /^[A-Z2-9]{6}$/m.exec(await mailTo(email))?.[0];
  const { token } = await call('POST /api/login/verify', { body: { email, code } });
  await call('POST /api/user/accept-terms', { caller: { token } });
  const [home] = await call('GET /api/organizations', { caller: { token } });
  if (!home) throw new Error('The user has no organization');
  const web = { token, organization: home.id };
  const list = await newList(product, web);
  const created = await call('POST /api/tokens', { caller: web, body: { name: 'bench', expiration: null } });
  return { web, program: { token: created.token, organization: home.id }, list };
}

export async function newList({ call }: Product, caller: Caller): Promise<string> {
  const body = {
    name: 'Readers',
    domain: 'example.com',
    sender_name: 'The editors',
    sender_address: 'letters@example.com',
  };
  return (await call('POST /api/email-lists', { caller, body })).id;
}

export async function expectCounted({ call }: Product, { web, list }: Customer, members: number) {
  const { members_count } = await call('GET /api/email-lists/{list}', { caller: web, params: { list } });
  if (members_count !== members) throw new Error(`Of ${members} members ${members_count} are counted`);
}
