import { beforeAll, expect, it } from 'vitest';
import { clickUrl, LONGEST_LINK, readToken, trackedUrl } from '#core/recipient/tracking.ts';
import { FIREWALL_RULES } from '#lib/firewall.ts';
import { compose, fill } from '#shared/email/email.ts';
import { ownValues, valuesFor } from '#shared/email/own-values.ts';
import { NewEmailTemplate } from '#shared/email-template.ts';
import { LONGEST_VALUE } from '#shared/metadata.ts';
import { template } from '../support/content.ts';

const BASE = 'https://news.letterflow.example';
const KEY = 'a key that signs';
const sent = { organization: 2 ** 47, hash: 'A'.repeat(22), seq: 2 ** 31, written: new Date('2030-01-01') };

/** https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html */
const CLOUDFRONT_URL = 8_192;
/** The request line and the headers. https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html */
const GATEWAY_HEAD = 10_240;
/** What a browser and CloudFront send with a click: cookies, languages, addresses, the origin key. */
const HEADERS = 4_096;

/** All limits at once: placeholders throughout the longest CTA URL, each filled with the longest value, of three bytes a character. */
function longestEmail() {
  const beginning = 'https://shop.example.com/?{{utm_tags_automation_name}}&q=';
  const url = (beginning + '{{a}}'.repeat(500)).slice(0, 2_048).replace(/\{*a?\}*$/, '');
  const content = NewEmailTemplate.parse(
    template({ cta_url: url, pre_cta_content: `[All](${'https://shop.example.com/'.padEnd(9_900, 'x')})` }),
  );
  const own = ownValues({
    automation: { id: 'A'.repeat(12), name: '漢'.repeat(100) },
    combination: 'C'.repeat(12),
    days: 9,
    send: `${'h'.repeat(22)}-1`,
    template: 'T'.repeat(12),
    email: `${'e'.repeat(242)}@example.com`,
  });
  return { content, values: valuesFor({ a: '漢'.repeat(LONGEST_VALUE) }, own) };
}

const links = new Map<string, string>();
let unsubscribe = '';
beforeAll(() => {
  const { content, values } = longestEmail();
  unsubscribe = trackedUrl(BASE, KEY, 'unsubscribe', {
    ...sent,
    language: 'zh-Hant',
    list: '漢'.repeat(100),
    sender: { name: '字'.repeat(100), address: `${'e'.repeat(242)}@example.com` },
    logo: `/files/${'f'.repeat(60)}.png`,
  });
  fill(compose(content, { language: 'en', unsubscribeWord: 'Unsubscribe' }), {
    values,
    language: 'en',
    unsubscribe,
    files: BASE,
    pixel: trackedUrl(BASE, KEY, 'open', sent),
    tracked(url, part) {
      const link = clickUrl(BASE, KEY, { ...sent, url, part });
      links.set(url, link);
      return link;
    },
  });
});

it('the longest link that content allows leads to its destination by itself: no token would be short enough', () => {
  expect(Math.max(...[...links.keys()].map(url => url.length))).toBeGreaterThan(3_000_000);
  expect(links.size).toBe(2);
  for (const [url, link] of links) expect(link).toBe(url);
});

it('the longest link with a token is taken by CloudFront and by the gateway, and leads on', () => {
  const urlOf = (length: number) => 'https://shop.example.com/?q='.padEnd(length, 'x');
  const linkTo = (url: string) => clickUrl(BASE, KEY, { ...sent, url, part: 'cta_url' });
  let length = LONGEST_LINK;
  while (linkTo(urlOf(length)) === urlOf(length)) length -= 1;
  expect(length).toBeGreaterThan(4_000);
  const link = linkTo(urlOf(length));
  for (const each of [link, unsubscribe]) {
    const { pathname, search } = new URL(each);
    expect(each.length).toBeLessThan(CLOUDFRONT_URL);
    expect(`GET ${pathname}${search} HTTP/1.1\r\n`.length + HEADERS).toBeLessThanOrEqual(GATEWAY_HEAD);
    // No rule of the firewall that looks for file names, scripts or addresses in a path finds any.
    expect(pathname).toMatch(/^\/t\/[cu]\/[\w-]+$/);
  }
  expect(readToken(KEY, 'click', link.split('/').at(-1) ?? '')).toMatchObject({ url: urlOf(length) });
});

it('the firewall blocks no path and no query for its length', () => {
  const common = FIREWALL_RULES.find(({ name }) => name === 'AWSManagedRulesCommonRuleSet');
  for (const name of ['SizeRestrictions_URIPATH', 'SizeRestrictions_QUERYSTRING']) {
    expect(common).toMatchObject({
      statement: {
        managedRuleGroupStatement: {
          ruleActionOverrides: expect.arrayContaining([{ name, actionToUse: { count: {} } }]),
        },
      },
    });
  }
});
