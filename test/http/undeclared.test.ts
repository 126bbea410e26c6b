import { expect, it } from 'vitest';
import { programRoutes, routes } from '#shared/routes.ts';
import { apiStack } from '../support/handlers.ts';

const stack = apiStack();

const declared = Map.groupBy(Object.keys({ ...routes, ...programRoutes }), key => key.split(' ')[1] ?? '');

it('each path of the API refuses a method that it does not declare, and names those that it does', async () => {
  for (const [path, keys] of declared) {
    const { status, headers } = await stack.get(path.replaceAll(/{\w+}/g, '7'), { method: 'PATCH' });
    const allowed = headers.get('allow')?.split(', ') ?? [];
    // It may be one of a variable path too, whose methods it takes as well.
    const missing = keys.filter(key => !allowed.includes(key.split(' ')[0] ?? ''));
    expect([path, status, missing]).toEqual([path, 405, []]);
  }
  const { status, headers } = await stack.get('/api/email-lists/7', { method: 'PATCH' });
  expect([status, headers.get('allow')]).toEqual([405, 'DELETE, GET, PUT']);
});

it('a path that is not declared has no methods to name', async () => {
  for (const path of ['/api/nothing', '/api/email-lists/7/8/9', '/api/constructor']) {
    const answer = await stack.get(path, { method: 'POST' });
    expect([path, answer.status, answer.headers.get('allow')]).toEqual([path, 404, null]);
    expect(await answer.json()).toEqual({ message: 'There is nothing here.' });
  }
});
