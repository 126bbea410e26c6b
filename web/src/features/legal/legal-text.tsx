export type LegalDocument = {
  title: string;
  updated: string;
  /** The text of each section by its title: a string is a paragraph, an array is a list. */
  sections: Record<string, (string | string[])[]>;
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
