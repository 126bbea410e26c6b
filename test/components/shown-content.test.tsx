import { expect, it } from 'vitest';
import { commands, page } from 'vitest/browser';
import { WithHelpTip } from '#web/components/tooltip.tsx';
import { asset, assetDetail, template, templateDetail } from '../support/components/examples.ts';
import { button, focus, isGone, keys, says } from '../support/components/page.ts';
import { open, render } from '../support/components/render.tsx';

const openTemplate = () =>
  open('/email-templates/t1', { 'GET /api/email-templates/{emailTemplate}': templateDetail });
const openAsset = (detail = assetDetail) =>
  open('/email-assets/e1', { 'GET /api/email-assets/{emailAsset}': detail });

const emailSays = (text: string) =>
  expect.poll(() => commands.inFrame('Email preview', 'root.innerText')).toContain(text);
const tab = (name: string) => page.getByRole('tab', { name });
const panel = (name: string) => page.getByRole('tabpanel', { name });
const tooltip = () => page.getByRole('tooltip');

it('a template is shown as the email that it becomes, and as it was written in another tab', async () => {
  openTemplate();
  await emailSays(template.cta_text);
  expect(page.getByText(template.footer).elements()).toEqual([]);
  await tab('Content').click();
  await expect.element(panel('Content').getByText(template.footer)).toBeVisible();
});

it('an asset is shown within an email, and as it was written in another tab', async () => {
  const value = 'Hello **{{first_name}}**';
  openAsset({ ...assetDetail, emailAsset: { ...asset, type: 'pre_cta_content', value } });
  await emailSays('Hello Ada');
  await emailSays('The button');
  await tab('Asset Content').click();
  await expect.element(panel('Asset Content').getByText(value)).toBeVisible();
});

it('an explanation is opened by a press and by the keyboard, and closed by Escape', async () => {
  render(<WithHelpTip word="Preheader">It comes after the subject.</WithHelpTip>);
  const mark = button('Preheader: It comes after the subject.');
  await mark.click();
  await says('It comes after the subject.');
  await keys('{Escape}');
  await isGone(tooltip());
  await focus(mark);
  await keys('{Enter}');
  await expect.element(tooltip()).toBeVisible();
});

it.each([
  ['the page of a template', openTemplate],
  [
    'its form',
    () =>
      open('/email-templates/t1/edit', {
        'GET /api/email-templates/{emailTemplate}': templateDetail,
        'GET /api/automations-for-templates': [],
      }),
  ],
  ['the form of a new one', () => open('/email-templates/new', { 'GET /api/automations-for-templates': [] })],
])('%s says in the same words that its content is final', async (_, openIt) => {
  openIt();
  await says(/^Templates cannot be edited after creation, so that reporting stays accurate\. Only the name/);
});
