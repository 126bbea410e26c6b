import {
  Braces,
  Building2,
  CalendarClock,
  ChartNoAxesColumn,
  House,
  type LucideIcon,
  Mail,
  Puzzle,
  ScrollText,
  ShieldCheck,
  UserRound,
  Users,
} from 'lucide-react';
import { paths } from '../lib/paths.ts';

export type Destination = {
  path: string;
  label: string;
  /** Shown on the home page; its words are search terms of the command palette. */
  about: string;
  icon: LucideIcon;
  /** The entry is also current on the paths that begin with one of these. */
  prefixes?: string[];
};

export const navigation: Destination[] = [
  { path: paths.home(), label: 'Home', about: 'What was sent, and what is next', icon: House },
  {
    path: paths.lists(),
    label: 'Email Lists',
    about: 'Your contacts and their metadata',
    icon: Users,
    prefixes: [`${paths.lists()}/`, paths.listMember('')],
  },
  {
    path: paths.automations(),
    label: 'Automations',
    about: 'Emails on a recurring schedule',
    icon: CalendarClock,
    prefixes: [`${paths.automations()}/`],
  },
  {
    path: paths.reporting(),
    label: 'Reporting',
    about: 'How often your emails are opened and clicked',
    icon: ChartNoAxesColumn,
    prefixes: [`${paths.reporting()}/`],
  },
  {
    path: paths.sendingLog(),
    label: 'Sending Log',
    about: 'Who got which email, and what happened to it',
    icon: ScrollText,
    prefixes: [`${paths.sendingLog()}/`],
  },
  {
    path: paths.emailTemplates(),
    label: 'Email Templates',
    about: 'Whole emails that your automations send',
    icon: Mail,
    prefixes: [`${paths.emailTemplates()}/`],
  },
  {
    path: paths.emailAssets(),
    label: 'Email Assets',
    about: 'Pieces of content to be combined',
    icon: Puzzle,
    prefixes: [`${paths.emailAssets()}/`],
  },
  {
    path: paths.safeguards(),
    label: 'Safeguards',
    about: 'How many emails one person may get',
    icon: ShieldCheck,
  },
  {
    path: paths.organizations(),
    label: 'Organizations',
    about: 'Members, invitations and roles',
    icon: Building2,
  },
  {
    path: paths.profile(),
    label: 'Profile',
    about: 'Your account, API tokens and sessions',
    icon: UserRound,
  },
  { path: paths.apiReference(), label: 'API Reference', about: 'The calls for your programs', icon: Braces },
];

export const isCurrent = ({ path, prefixes = [] }: Destination, pathname: string) =>
  pathname === path || prefixes.some(prefix => pathname.startsWith(prefix));
