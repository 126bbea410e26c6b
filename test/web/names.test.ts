import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const EXPORT = /^export (?:default )?(?:async )?(?:const|function|class|type) (\w+)/gm;

/** In the words of the specification. */
const GIVEN = 'Are you logged in with the right account?';

it('one signs in, in every text', () => {
  for (const file of globSync('web/{*.html,src/**/*.{ts,tsx}}')) {
    expect(readFileSync(file, 'utf8').replace(GIVEN, ''), file).not.toMatch(/\blog(s|ged|ging)? in\b/i);
  }
});

it('no two files of the web export the same name', () => {
  const files = globSync('web/src/**/*.{ts,tsx}');
  const exported = files.flatMap(file => {
    const names = [...readFileSync(file, 'utf8').matchAll(EXPORT)].map(([, name = '']) => name);
    return [...new Set(names)];
  });
  expect(exported.length).toBeGreaterThan(200);
  expect(exported.filter((name, index) => exported.indexOf(name) !== index)).toEqual([]);
});
