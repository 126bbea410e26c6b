import '#web/styles/legal-text.css';
import { LegalText } from './legal-text.tsx';
import { privacyPolicy } from './privacy-policy.ts';
import { termsAndConditions } from './terms-and-conditions.ts';

/** The full texts, one after the other. */
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
