import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { privacyPolicy } from '#web/features/legal/legal-documents.ts';

const KEY = /(?:\bSTORED = |\b(?:read|write)Stored\()'(\w+)'/g;

it('the privacy policy names every key that the app stores in the browser', () => {
  const files = globSync('web/src/**/*.{ts,tsx}').map(file => readFileSync(file, 'utf8'));
  const keys = new Set(files.flatMap(text => [...text.matchAll(KEY)].map(([, key]) => key)));
  expect(keys.size).toBeGreaterThan(5);
  const text = JSON.stringify(privacyPolicy.sections['4. What is stored in your browser']);
  expect([...keys].filter(key => !new RegExp(`\\b${key}\\b`).test(text))).toEqual([]);
});
