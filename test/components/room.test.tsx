import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { refusal } from '../support/components/api.ts';
import { list } from '../support/components/examples.ts';
import { fakeMembers, people } from '../support/components/members.ts';
import { field, focus, keys, says } from '../support/components/page.ts';
import { open } from '../support/components/render.tsx';

it('no setting of a list, however long, makes its form wider than the window', async () => {
  const domain = `${`${'a'.repeat(60)}.`.repeat(3)}example.com`;
  const long = { ...list, name: 'W'.repeat(100), domain };
  open('/email-lists/l1/edit', { 'GET /api/email-lists/{list}': long, 'GET /api/email-lists': [long] });
  await says(new RegExp(`Sending keys of ${domain}`));
  for (const width of [320, 768, 1440]) {
    await page.viewport(width, 900);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
  }
});

it('on a phone, the bar of the selected members does not hide the row that was selected, nor one that is reached by keyboard', async () => {
  await page.viewport(390, 844);
  open('/email-lists/l1', fakeMembers(people(12)).answers);
  await says('12 members');
  const row = (index: number) => document.querySelectorAll<HTMLElement>('tbody tr')[index];
  const bar = page.getByRole('region', { name: 'Selected members' });
  row(3)?.scrollIntoView({ block: 'end' });
  const box = row(3)?.querySelector('input');
  box?.focus({ preventScroll: true });
  box?.click();
  await expect.element(bar).toBeVisible();
  const isFree = (index: number) =>
    (row(index)?.getBoundingClientRect().bottom ?? Number.NaN) <= bar.element().getBoundingClientRect().top;
  await expect.poll(() => isFree(3)).toBe(true);
  row(3)?.focus();
  for (const index of [4, 5, 6]) {
    await keys('{ArrowDown}');
    await expect.poll(() => isFree(index)).toBe(true);
  }
});

it('on a phone, a field that gets the focus is below the top bar, with its label', async () => {
  await page.viewport(390, 500);
  open('/email-lists/l1/edit', { 'GET /api/email-lists/{list}': list, 'GET /api/email-lists': [list] });
  const sender = field('Sender name');
  await expect.element(sender).toBeVisible();
  const label = () => page.getByText('Sender name', { exact: true }).element().getBoundingClientRect();
  const bar = () => page.getByRole('banner').element().getBoundingClientRect().bottom;
  scrollBy(0, sender.element().getBoundingClientRect().top);
  expect(label().top).toBeLessThan(bar());
  await focus(sender);
  expect(label().top).toBeGreaterThanOrEqual(bar());
});

it('toasts cover no title on a wide screen: they are in the corner at the end of the page', async () => {
  open('/email-lists/nothing', {
    'GET /api/email-lists/{list}': refusal(404, 'Not found'),
    'GET /api/email-lists/{list}/datetime-metadata-columns': refusal(404),
    'GET /api/email-lists/{list}/members': refusal(404),
    'GET /api/email-lists': [],
  });
  await expect.element(page.getByRole('heading', { name: 'Email Lists', level: 1 })).toBeVisible();
  const toast = () => document.querySelector('[data-scope=toast][data-part=root][data-state=open]');
  await expect.poll(() => toast()?.getBoundingClientRect().top).toBeGreaterThan(450);
});
