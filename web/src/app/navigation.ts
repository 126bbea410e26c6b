import { Building2, House, type LucideIcon, UserRound, Users } from 'lucide-react';
import { paths, patterns } from '../lib/paths.ts';

export type Destination = {
  path: string;
  label: string;
  /** What one finds there, for the page that lists them. */
  about: string;
  icon: LucideIcon;
  /** Whether the pages below it belong to it as well. */
  match: 'exact' | 'prefix';
  /** Pages elsewhere that belong to it too, by the beginning of their address. */
  also?: string;
};

/** The entries of the navigation, in its order; a page gets its line here. */
export const navigation: Destination[] = [
  { path: paths.home(), label: 'Home', about: 'Where everything is', icon: House, match: 'exact' },
  {
    path: paths.lists(),
    label: 'Email Lists',
    about: 'Your contacts, and what is known of each',
    icon: Users,
    match: 'prefix',
    also: patterns.listMember.replace(':member', ''),
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

export const isCurrent = ({ path, match, also }: Destination, pathname: string) =>
  pathname === path ||
  (match === 'prefix' && pathname.startsWith(`${path}/`)) ||
  (also !== undefined && pathname.startsWith(also));
