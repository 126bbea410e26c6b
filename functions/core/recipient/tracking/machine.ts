import { isOfScanner } from './networks.ts';
import type { By } from './tracking.ts';

/** What is known of a request for a link or a picture. Nothing of it is stored. */
export type Visit = {
  method: string;
  userAgent: string;
  /** `prefetch` if a browser loads a page before anybody asks for it. */
  purpose: string;
  ip: string;
  /** The time since the email was rendered. */
  seconds: number;
};

// Apple Mail loads all pictures by itself, long before anybody looks: https://wordtothewise.com/2021/09/apple-mpp/
const APPLE_MAIL_PRIVACY = 'Mozilla/5.0';

/** The user agents of crawlers and of previews of links: see docs/tracking.md for the sources. */
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

/** Whether a person or a machine calls, by published facts alone: a call that no rule matches is a person's. */
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
