import { isOfScanner } from './networks.ts';
import type { By } from './tracking.ts';

/** What is known of a call: nothing of it is stored. */
export type Visit = {
  method: string;
  userAgent: string;
  /** `prefetch` where a browser loads a page before anybody asks for it. */
  purpose: string;
  ip: string;
  /** Since the email was written. */
  seconds: number;
};

// Apple Mail loads all pictures by itself, long before anybody looks: https://wordtothewise.com/2021/09/apple-mpp/
const APPLE_MAIL_PRIVACY = 'Mozilla/5.0';

/** How those who crawl, and who show a preview of a link, name themselves: see docs/tracking.md for the sources. */
const AGENTS = new RegExp(
  [
    'Applebot',
    'BingPreview',
    'bingbot',
    'Discordbot',
    'Embedly',
    'facebookexternalhit',
    'FacebookBot',
    'Googlebot',
    'Google-Safety',
    'Iframely',
    'LinkedInBot',
    'Mattermost-Bot',
    'meta-external',
    'MicrosoftPreview',
    'Pinterestbot',
    'SkypeUriPreview',
    'Slackbot',
    'Slack-ImgProxy',
    'Snap URL Preview',
    'TelegramBot',
    'Twitterbot',
    'vkShare',
    'WhatsApp/',
    'Yahoo Link Preview',
    'YandexBot',
  ].join('|'),
  'i',
);

/** Who calls, by published facts alone: whatever none of these rules knows is a person. */
export function byOf({ method, userAgent, purpose, ip, seconds }: Visit, earliest: number): By {
  const isMachine =
    method === 'HEAD' ||
    seconds < earliest ||
    userAgent === APPLE_MAIL_PRIVACY ||
    AGENTS.test(userAgent) ||
    /\bprefetch\b/i.test(purpose) ||
    isOfScanner(ip);
  return isMachine ? 'machine' : 'person';
}
