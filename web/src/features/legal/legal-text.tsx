/** In `text`, a string is a paragraph and an array is a list. */
export type LegalDocument = {
  title: string;
  updated: string;
  sections: { title: string; text: (string | string[])[] }[];
};

type Props = {
  document: LegalDocument;
  /** The heading level of the sections. */
  heading: 'h2' | 'h4';
};

export function LegalText({ document: { updated, sections }, heading: Heading }: Props) {
  return (
    <>
      <p className="date">Last updated: {updated}</p>
      {sections.map(({ title, text }) => (
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
