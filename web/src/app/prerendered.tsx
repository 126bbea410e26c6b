import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { Home } from '../features/home/home.tsx';
import { privacyPolicy, termsAndConditions } from '../features/legal/legal-documents.ts';
import { LegalPage } from '../features/legal/legal-text.tsx';
import { Login } from '../features/login/login.tsx';

const pages: Record<string, ReactNode> = {
  index: <Home />,
  login: <Login onSignedIn={() => undefined} />,
  'terms-and-conditions': <LegalPage document={termsAndConditions} />,
  'privacy-policy': <LegalPage document={privacyPolicy} />,
};

/** The HTML of a page, which the build writes into a file. */
export function prerendered(page: string): string {
  if (!pages[page]) throw new Error(`There is no page ${page}.`);
  return renderToString(pages[page]);
}
