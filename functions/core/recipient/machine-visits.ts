import { BlockList, isIP } from 'node:net';
import { isbot } from 'isbot';
import type { By } from './tracking.ts';

/** Nothing of it is stored. */
export type Visit = {
  method: string;
  userAgent: string;
  /** `prefetch` if a browser loads a page before anybody asks for it. */
  purpose: string;
  ip: string;
  /** The time since the email was rendered. */
  seconds: number;
};

/**
 * Mail programs, and the proxies through which they load a picture when somebody opens the email. isbot takes them for
 * programs, as no browser has such a name.
 */
const MAIL_PROGRAMS = /GoogleImageProxy|YahooMailProxy|SeznamEmailProxy|NaverMailApp|Outlook/i;

/** Names that isbot does not find behind that of a browser: see docs/tracking.md for the sources. */
const AGENTS =
  /Barracuda|Embedly|facebookexternalhit|Iframely|meta-external|Mimecast|Proofpoint|python-requests|vkShare|Wget|WhatsApp/i;

const isProgram = (userAgent: string) =>
  !MAIL_PROGRAMS.test(userAgent) && (isbot(userAgent) || AGENTS.test(userAgent));

/** By published facts alone: a call that no rule matches is a person's. */
export function byOf({ method, userAgent, purpose, ip, seconds }: Visit, earliest: number): By {
  const isMachine =
    method === 'HEAD' ||
    seconds < earliest ||
    isProgram(userAgent) ||
    /\bprefetch\b/i.test(purpose) ||
    isOfScanner(ip);
  return isMachine ? 'machine' : 'person';
}

/** Networks of mail servers and their scanners, as those who run them publish them: no person browses from there. */
const NETWORKS: { of: string; source: string; ranges: string[] }[] = [
  {
    of: 'Microsoft Exchange Online Protection',
    source:
      'https://learn.microsoft.com/microsoft-365/enterprise/urls-and-ip-address-ranges, and the SPF record of spf.protection.outlook.com',
    ranges: [
      '40.92.0.0/15',
      '40.107.0.0/16',
      '52.100.0.0/14',
      '104.47.0.0/17',
      '2a01:111:f400::/48',
      '2a01:111:f403::/48',
    ],
  },
  {
    of: 'Barracuda Email Gateway Defense',
    source:
      'https://campus.barracuda.com/product/emailgatewaydefense/doc/96023004/, and the SPF record of spf.ess.barracudanetworks.com',
    ranges: ['64.235.144.0/20', '209.222.80.0/21'],
  },
  {
    of: 'Mimecast',
    source:
      'https://mimecastsupport.zendesk.com, "Mimecast Data Centers and URLs", and the SPF record of _netblocks.mimecast.com',
    ranges: [
      '63.128.21.0/24',
      '91.220.42.0/24',
      '146.101.78.0/24',
      '170.10.128.0/22',
      '170.10.132.0/23',
      '195.130.217.0/24',
      '205.139.110.0/23',
      '207.211.30.0/24',
      '207.211.31.0/25',
      '216.205.24.0/24',
    ],
  },
  {
    of: 'Proofpoint',
    source:
      'https://proofpoint.my.site.com/support/PPSup_SupportInfo, and the addresses of Proofpoint Essentials',
    ranges: [
      '62.209.50.0/23',
      '67.231.144.0/20',
      '91.207.212.0/23',
      '91.209.104.0/24',
      '148.163.128.0/19',
      '185.132.180.0/22',
      '185.183.28.0/22',
      '208.84.64.0/22',
      '208.86.200.0/22',
    ],
  },
];

const scanners = new BlockList();
for (const range of NETWORKS.flatMap(({ ranges }) => ranges)) {
  const [network = '', bits] = range.split('/');
  scanners.addSubnet(network, Number(bits), range.includes(':') ? 'ipv6' : 'ipv4');
}

export function isOfScanner(ip: string): boolean {
  const version = isIP(ip);
  return version !== 0 && scanners.check(ip, version === 6 ? 'ipv6' : 'ipv4');
}
