import { expect, it } from 'vitest';
import { document } from '#functions/http/openapi.ts';
import { markdownPages } from '#shared/reference/markdown.ts';
import type { OpenApi } from '#shared/reference/openapi.ts';
import type { Route } from '#shared/route.ts';
import { programRoutes, routes } from '#shared/routes.ts';

const pages = markdownPages(document as unknown as OpenApi);
const ofApp = Object.entries<Route>(routes).flatMap(([key, { v1 }]) => (v1 ? [] : [key]));
const keys = [...new Set([...ofApp, ...Object.keys(programRoutes)])];
const { '/llms.txt': index = '', ...ofCalls } = pages;

it('llms.txt begins with a title and a summary, and leads to a page for each call', () => {
  expect(index).toMatch(/^# Letterflow API\n\n> /);
  const links = [...index.matchAll(/^- \[(\w+ [^\]]+)\]\((\/reference\/\w+\.md)\): .+$/gm)];
  expect(links.map(([, route]) => route).sort()).toEqual(keys.sort());
  expect(links.map(([, , path]) => path).sort()).toEqual(Object.keys(ofCalls).sort());
});

it.each(Object.entries(ofCalls))(
  '%s says what is sent, answered and refused, in four languages',
  (_, page) => {
    expect(page).toMatch(/^# (GET|POST|PUT|DELETE) \/api\//);
    expect([...page.matchAll(/^##+ (.+)$/gm)].map(([, heading]) => heading)).toEqual(
      expect.arrayContaining(['Errors', 'Examples', 'curl', 'JavaScript', 'Python', 'PHP']),
    );
    const fences = page.match(/^```/gm) ?? [];
    expect(fences.length % 2).toBe(0);
    for (const row of page.match(/^\| .*$/gm) ?? []) expect(row.match(/(?<!\\)\|/g)).toHaveLength(5);
  },
);

it('the page of a call shows its fields and its place for a token', () => {
  const page = ofCalls['/reference/upsertListMembers.md'];
  expect(page).toContain('| `members[].email` | text | yes | The email address');
  expect(page).toContain('Bearer YOUR_TOKEN');
  expect(page).toContain('"status": "created"');
});

it('the page of a call says which scope it needs, and what `sending` is needed for beside it', () => {
  const page = ofCalls['/reference/updateAutomation.md'];
  expect(page).toMatch(/^- Credential: .* with the scope `automations`$/m);
  expect(page).toContain('`sending`');
});
