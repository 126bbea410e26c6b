import {
  Braces,
  Building2,
  CalendarClock,
  ChartNoAxesColumn,
  CircleHelp,
  House,
  type LucideIcon,
  Mail,
  Megaphone,
  Puzzle,
  ScrollText,
  ShieldCheck,
  UserRound,
  Users,
} from 'lucide-react';
import { paths } from '../lib/paths.ts';

export type Destination = {
  path: string;
  icon: LucideIcon;
  label: string;
  /** Its words are search terms of the command palette. */
  about: string;
};

const entry = (path: string, icon: LucideIcon, label: string, about: string) => ({
  path,
  icon,
  label,
  about,
});

/** With a small heading each; what comes first has none. */
export const navigationGroups: { name?: string; entries: Destination[] }[] = [
  { entries: [entry(paths.home(), House, 'Home', 'What was sent, and what is next')] },
  {
    name: 'Send',
    entries: [
      entry(paths.lists(), Users, 'Email Lists', 'Your contacts and their metadata'),
      entry(paths.automations(), CalendarClock, 'Automations', 'Emails on a recurring schedule'),
      entry(paths.broadcasts(), Megaphone, 'Broadcasts', 'One email to many people, at one time'),
    ],
  },
  {
    name: 'Measure',
    entries: [
      entry(
        paths.reporting(),
        ChartNoAxesColumn,
        'Reporting',
        'How often your emails are opened and clicked',
      ),
      entry(paths.sendingLog(), ScrollText, 'Sending Log', 'Who got which email, and what happened to it'),
    ],
  },
  {
    name: 'Content',
    entries: [
      entry(paths.emailTemplates(), Mail, 'Email Templates', 'Whole emails that your automations send'),
      entry(paths.emailAssets(), Puzzle, 'Email Assets', 'Pieces of content to be combined'),
    ],
  },
  {
    name: 'Settings',
    entries: [
      entry(paths.safeguards(), ShieldCheck, 'Safeguards', 'How many emails one person may get'),
      entry(paths.organizations(), Building2, 'Organizations', 'Members, invitations and roles'),
      entry(paths.profile(), UserRound, 'Profile', 'Your account, theme, API tokens and sessions'),
    ],
  },
  {
    name: 'Guides',
    entries: [
      entry(paths.apiReference(), Braces, 'API Reference', 'The calls for your programs'),
      entry(paths.help(), CircleHelp, 'Help', 'What the words mean, and how things are done'),
    ],
  },
];

export const navigation = navigationGroups.flatMap(({ entries }) => entries);

/** Also on the pages below it; those of list members are below the lists. */
export const isCurrent = ({ path }: Destination, pathname: string) =>
  pathname === path ||
  pathname.startsWith(`${path}/`) ||
  (path === paths.lists() && pathname.startsWith(paths.listMember('')));
