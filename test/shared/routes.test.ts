import { expect, it } from 'vitest';
import { ACTIONS, ROLES, type Role } from '#shared/permissions.ts';
import { type Route, statusOf } from '#shared/route.ts';
import { groups, routes, sections } from '#shared/routes.ts';

it('no two routes differ in the names of their path parameters alone, and none is declared twice', () => {
  const keys = Object.values(sections).flatMap(table => Object.keys(table));
  const shapes = keys.map(key => key.replace(/{\w+}/g, '{}'));
  expect(new Set(shapes).size).toBe(shapes.length);
});

it('every section is served by one function', () => {
  expect(Object.values(groups).flat().toSorted()).toEqual(Object.keys(sections).toSorted());
});

it.each(Object.entries<Route>(routes))('%s takes a body only where its method has one', (key, { body }) => {
  if (body) expect(key).toMatch(/^(POST|PUT) /);
});

it('docs/routes.md shows every route with its permission; `npx vitest run test/shared/routes.test.ts -u` updates it', async () => {
  await expect(routesPage()).toMatchFileSnapshot('../../docs/routes.md');
});

const CALLERS: Record<string, string> = { public: 'anyone', guest: 'anyone', session: 'a signed-in user' };

function routesPage(): string {
  const tables = Object.entries(sections).map(([section, table]) => {
    const rows = Object.entries<Route>(table).map(([key, route]) => {
      const caller = CALLERS[route.permission] ?? `\`${route.permission}\``;
      const credential =
        route.permission === 'public' ? 'none' : route.credential === 'token' ? 'API token' : 'session';
      const optional = route.permission === 'guest' ? ', if there is one' : '';
      return `| \`${key}\` | ${caller} | ${credential}${optional} | ${statusOf(route)} | ${route.summary} |`;
    });
    return [
      `## ${section}`,
      '',
      '| Route | Who may call | Credential | Answers | What it does |',
      '|---|---|---|---|---|',
      ...rows,
      '',
    ].join('\n');
  });
  return [
    '# Routes',
    '',
    'For the review of permissions: every route of the API, as declared in `shared/<noun>.ts`; a test writes this page. What a',
    'route takes and answers is in the reference (`/api-reference`). A permission such as `lists:edit` is a right within the',
    'organization of the call, which some roles have. If the path names something of an organization, the call is refused',
    'with 401, 403 or 404 before its query and body are validated (422).',
    '',
    ...rightsTable(),
    ...tables,
  ].join('\n');
}

const rightsTable = () => [
  `| Permission | ${ROLES.join(' | ')} |`,
  `|---|${'---|'.repeat(ROLES.length)}`,
  ...Object.entries<readonly Role[]>(ACTIONS).map(
    ([action, roles]) =>
      `| \`${action}\` | ${ROLES.map(role => (roles.includes(role) ? 'yes' : '')).join(' | ')} |`,
  ),
  '',
];
