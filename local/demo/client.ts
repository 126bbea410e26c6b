import type { Answer, BodyInput, Params, RouteKey } from '#shared/routes.ts';
import { createClient } from '../../client/index.ts';
import { Mistake } from '../mistake.ts';
import type { Driver } from './driver.ts';

type Call<K extends RouteKey> = { token?: string; params?: Params<K>; body?: BodyInput<K> };

export type Client = <K extends RouteKey>(key: K, call?: Call<K>) => Promise<Answer<K>>;

export const clientOf =
  ({ request }: Pick<Driver, 'request'>): Client =>
  async (key, { token, params, body } = {}) => {
    const [method = '', path = ''] = key.split(' ');
    const { status, body: answered } = await request({
      method,
      path: path.replace(/{(\w+)}/g, (_, name) => (params as Record<string, string>)[name] ?? ''),
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (status >= 300) throw new Mistake(`${key} answered ${status}: ${answered}`);
    return (answered.length > 0 ? JSON.parse(answered.toString()) : undefined) as Answer<typeof key>;
  };

/** The published client, which calls the stack in this process: a program of the company. */
export const programOf = ({ request }: Pick<Driver, 'request'>, token: string) =>
  createClient({
    token,
    url: 'http://127.0.0.1',
    async fetch({ pathname, search }, { method = 'GET', headers, body }) {
      const { status, body: answered } = await request({
        method,
        path: pathname + search,
        headers: Object.fromEntries(new Headers(headers)),
        ...(typeof body === 'string' && { body }),
      });
      return new Response(status === 204 ? null : answered.toString(), { status });
    },
  });
export type Program = ReturnType<typeof programOf>;
