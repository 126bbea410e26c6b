import { Wordmark } from '#web/components/wordmark.tsx';
import { paths } from '#web/lib/paths.ts';
import { type LegalDocument, privacyPolicy, termsAndConditions } from './legal-documents.ts';

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

export default function BothTexts() {
  return (
    <div className="legal-text">
      {[termsAndConditions, privacyPolicy].map(document => (
        <article key={document.title} aria-label={document.title}>
          <h3>{document.title}</h3>
          <LegalText document={document} heading="h4" />
        </article>
      ))}
    </div>
  );
}

type Props = { document: LegalDocument; heading: 'h2' | 'h4' };

function LegalText({ document: { updated, sections }, heading: Heading }: Props) {
  return (
    <>
      <p className="date">Last updated: {updated}</p>
      {Object.entries(sections).map(([title, text]) => (
        <section key={title}>
          <Heading className="heading">{title}</Heading>
          {text.map(part =>
            typeof part === 'string' ? <p key={part}>{part}</p> : <Items key={part[0]} items={part} />,
          )}
        </section>
      ))}
    </>
  );
}

const Items = ({ items }: { items: string[] }) => (
  <ul>
    {items.map(item => (
      <li key={item}>{item}</li>
    ))}
  </ul>
);
