import { describe, expect, it } from 'vitest';
import { byOf, type Visit } from '#core/recipient/machine-visits.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const visit: Visit = { method: 'GET', userAgent: FIREFOX, purpose: '', ip: '198.51.100.7', seconds: 60 };
const by = (different: Partial<Visit>, earliest = 5) => byOf({ ...visit, ...different }, earliest);

describe('A person', () => {
  it.each([
    ['a browser', FIREFOX],
    [
      'the picture proxy of Gmail',
      'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
    ],
    [
      'the picture proxy of Yahoo',
      'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html',
    ],
    ['Outlook', 'Mozilla/4.0 (compatible; ms-office; MSOffice 16)'],
    [
      'a browser that names no version',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)',
    ],
    ['Outlook on a Mac', 'Microsoft-MacOutlook/16.84'],
    ['Outlook on Android', 'Outlook-Android/2.0'],
    ['Thunderbird', 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.2.0'],
    ['Apple Mail', 'Mail/3774.600.62 CFNetwork/1496.0.7 Darwin/23.5.0'],
    ['the app of Naver', 'NaverMailApp/3.5 (Android 14)'],
    ['a phone whose name ends like a robot', 'Mozilla/5.0 (Linux; Android 8.1.0; CUBOT_X18) Chrome/100'],
    ['who names nothing', ''],
  ])('is %s: no published fact says otherwise', (_, userAgent) => {
    expect(by({ userAgent })).toBe('person');
  });

  it('posts, and comes five seconds after the email was written at the earliest', () => {
    expect(by({ method: 'POST' })).toBe('person');
    expect(by({ seconds: 5 })).toBe('person');
    expect(by({ seconds: 0 }, 0)).toBe('person');
  });

  it.each(['40.91.255.255', '40.94.0.0', '104.47.128.0', '209.222.88.0', '2a01:111:f402::1', 'unknown', ''])(
    'may have the address %s',
    ip => expect(by({ ip })).toBe('person'),
  );
});

describe('A machine', () => {
  it.each([
    ['Apple, which loads every picture', 'Mozilla/5.0'],
    ['Slack', 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'],
    ['Facebook', 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)'],
    ['LinkedIn', 'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)'],
    ['WhatsApp', 'WhatsApp/2.23.20.0'],
    ['Skype and Teams', 'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5'],
    ['Bing', 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)'],
    ['Google', 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'],
    ['a library of HTTP', 'node'],
    ['curl', 'curl/8.5.0'],
    ['Wget', 'Wget/1.21.4'],
    ['Python', 'python-requests/2.32'],
    ['Go', 'Go-http-client/2.0'],
    ['okhttp', 'okhttp/4.12.0'],
    ['Java', 'Java/17.0.11'],
    ['Barracuda', 'Barracuda Sentinel (EE)'],
    ['a scanner that adds its name to that of a browser', `${FIREFOX} (Barracuda)`],
    [
      'a browser without a window',
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36',
    ],
    [
      'a link preview of Yahoo',
      'Mozilla/5.0 (compatible; Yahoo Link Preview; https://help.yahoo.com/kb/mail/yahoo-link-preview-SLN23615.html)',
    ],
  ])('is %s, by its user agent', (_, userAgent) => {
    expect(by({ userAgent })).toBe('machine');
  });

  it.each([
    ['asks for the headers alone', { method: 'HEAD' }],
    ['loads in advance', { purpose: 'prefetch;prerender' }],
    ['comes before anybody can have the email', { seconds: 4.9 }],
    ['comes before the email was written', { seconds: -1 }],
  ])('%s', (_, different) => {
    expect(by(different)).toBe('machine');
  });

  it.each([
    ['Microsoft', '40.92.0.0'],
    ['Microsoft', '40.93.255.255'],
    ['Microsoft', '52.103.1.2'],
    ['Microsoft', '104.47.127.255'],
    ['Microsoft', '2a01:111:f403::25'],
    ['Microsoft', '::ffff:40.92.1.1'],
    ['Barracuda', '209.222.82.11'],
    ['Mimecast', '170.10.133.9'],
    ['Proofpoint', '148.163.159.255'],
  ])('has an address of the mail scanner of %s: %s', (_, ip) => {
    expect(by({ ip })).toBe('machine');
  });
});
