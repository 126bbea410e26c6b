import { expect, it } from 'vitest';
import { ACTIONS, ROLES, type Role } from '#shared/permissions.ts';
import { type Route, scopeOf, statusOf, twinsOf } from '#shared/route.ts';
import { groups, programRoutes, routes, sections } from '#shared/routes.ts';

it('no two routes differ in the names of their path parameters alone, and none is declared twice', () => {
  const twins = Object.keys(twinsOf(routes));
  const keys = [...Object.values(sections).flatMap(table => Object.keys(table)), ...twins];
  const shapes = keys.map(key => key.replace(/{\w+}/g, '{}'));
  expect(new Set(shapes).size).toBe(shapes.length);
});

it('every section is served by one function', () => {
  expect(Object.values(groups).flat().toSorted()).toEqual(Object.keys(sections).toSorted());
});

it.each(Object.entries<Route>(routes))('%s takes a body only where its method has one', (key, { body }) => {
  if (body) expect(key).toMatch(/^(POST|PUT) /);
});

it('programs change nothing with the scope read', () => {
  const changing = Object.entries<Route>(programRoutes).filter(([key, route]) => {
    // A plan asks for the scopes of what it changes, when it is made and when it is applied.
    const isReading =
      key.startsWith('GET ') || /(dry-run|forecast|count|-check|duplicate|export|plans|apply)$/.test(key);
    return isReading !== ['read', 'any'].includes(scopeOf(route));
  });
  expect(changing.map(([key]) => key)).toEqual([]);
});

it('docs/routes.md shows every route with its permission; `npx vitest run test/shared/routes.test.ts -u` updates it', async () => {
  await expect(routesPage()).toMatchFileSnapshot('../../docs/routes.md');
});

const CALLERS: Record<string, string> = { public: 'anyone', guest: 'anyone', session: 'a signed-in user' };

function scopeText(route: Route): string {
  if (!route.v1 && !route.credential) return '';
  return `\`${scopeOf(route)}\`${route.switches ? ', switches' : ''}${route.legacy ? ', `legacy`' : ''}`;
}

function routesPage(): string {
  const tables = Object.entries(sections).map(([section, table]) => {
    const rows = Object.entries<Route>(table).map(([key, route]) => {
      const caller = CALLERS[route.permission] ?? `\`${route.permission}\``;
      const credential =
        route.permission === 'public' ? 'none' : route.credential === 'token' ? 'API token' : 'session';
      const optional = route.permission === 'guest' ? ', if there is one' : '';
      return `| \`${key}\` | ${caller} | ${credential}${optional} | ${scopeText(route)} | ${statusOf(route)} | ${route.summary} |`;
    });
    return [
      `## ${section}`,
      '',
      '| Route | Who may call | Credential | Scope | Answers | What it does |',
      '|---|---|---|---|---|---|',
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
    'with 401, 403 or 404 before its query and body are validated (422). A route with a scope is that of programs: it takes an API',
    'token with the scope below `/api/v1`, such as `GET /api/v1/email-lists/{list}`. With “switches”, it needs `sending` as well',
    'where its body has `active` or `include_existing`; a call that creates something, where that is active. What is',
    'about sessions, tokens, the people of an organization, keys or domains has no twin; `GET /api/v1/email-lists` was there before.',
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
