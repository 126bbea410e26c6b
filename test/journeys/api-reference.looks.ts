import type { Look } from '../support/browser/look.ts';

const until: Look['until'] = page =>
  page.locator('#createAutomation').getByRole('button', { name: 'Copy example' }).waitFor();

export const looks: Look[] = [
  { name: 'the API reference', path: '/api-reference#createAutomation', until },
  { name: 'the API reference without signing in', path: '/api-reference#createAutomation', who: null, until },
];
