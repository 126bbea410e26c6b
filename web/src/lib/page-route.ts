import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router';

/** The route of a page, whose code is loaded on demand. */
export const pageRoute = (path: string, load: () => Promise<ComponentType>): RouteObject => ({
  path,
  lazy: async () => ({ Component: await load() }),
});
