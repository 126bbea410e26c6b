import { Building2, House, type LucideIcon, Mail, UserRound, Users } from 'lucide-react';
import { paths, patterns } from '../lib/paths.ts';

export type Destination = {
  path: string;
  label: string;
  /** Shown on the home page; its words are search terms of the command palette. */
  about: string;
  icon: LucideIcon;
  /** With `prefix`, the entry is also current on the paths below its own. */
  match: 'exact' | 'prefix';
  /** Another path prefix on which the entry is current. */
  otherPrefix?: string;
};

/** The entries of the navigation, in order. */
export const navigation: Destination[] = [
  {
    path: paths.home(),
    label: 'Home',
    about: 'First steps, and your lists at a glance',
    icon: House,
    match: 'exact',
  },
  {
    path: paths.lists(),
    label: 'Email Lists',
    about: 'Your contacts and their metadata',
    icon: Users,
    match: 'prefix',
    otherPrefix: patterns.listMember.replace(':member', ''),
  },
  {
    path: paths.emailTemplates(),
    label: 'Email Templates',
    about: 'What your automations send: templates and assets',
    icon: Mail,
    match: 'prefix',
    otherPrefix: paths.emailAssets(),
  },
  {
    path: paths.organizations(),
    label: 'Organizations',
    about: 'Members, invitations and roles',
    icon: Building2,
    match: 'exact',
  },
  {
    path: paths.profile(),
    label: 'Profile',
    about: 'Your account, API tokens and sessions',
    icon: UserRound,
    match: 'exact',
  },
];

export const isCurrent = ({ path, match, otherPrefix }: Destination, pathname: string) =>
  pathname === path ||
  (match === 'prefix' && pathname.startsWith(`${path}/`)) ||
  (otherPrefix !== undefined && pathname.startsWith(otherPrefix));
