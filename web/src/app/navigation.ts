import { Building2, House, type LucideIcon, UserRound } from 'lucide-react';
import { paths } from '../lib/paths.ts';

export type Destination = {
  path: string;
  label: string;
  /** What one finds there, for the page that lists them. */
  about: string;
  icon: LucideIcon;
  /** Whether the pages below it belong to it as well. */
  match: 'exact' | 'prefix';
};

/** The entries of the navigation, in its order; a page gets its line here. */
export const navigation: Destination[] = [
  { path: paths.home(), label: 'Home', about: 'Where everything is', icon: House, match: 'exact' },
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

export const isCurrent = ({ path, match }: Destination, pathname: string) =>
  pathname === path || (match === 'prefix' && pathname.startsWith(`${path}/`));
