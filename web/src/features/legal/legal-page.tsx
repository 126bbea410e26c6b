import { Wordmark } from '#web/components/wordmark.tsx';
import { paths } from '#web/lib/paths.ts';
import { type LegalDocument, LegalText } from './legal-text.tsx';

/** The static page of a legal text. */
export function LegalPage({ document }: { document: LegalDocument }) {
  return (
    <div className="legal">
      <header>
        <a href={paths.home()}>
          <Wordmark />
        </a>
      </header>
      <main className="legal-text">
        <h1>{document.title}</h1>
        <LegalText document={document} heading="h2" />
      </main>
      <footer className="foot">
        <a href={paths.terms()}>Terms and Conditions</a>
        <a href={paths.privacy()}>Privacy Policy</a>
      </footer>
    </div>
  );
}
