import { Fragment } from 'react';

/** An address or a name that can break after its @, dots and underscores, rather than in the middle of a word. */
export const Breakable = ({ children }: { children: string }) => (
  <bdi>
    {children.split(/(?<=[@._])/).map((part, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, which may be equal
      <Fragment key={index}>
        {index > 0 && <wbr />}
        {part}
      </Fragment>
    ))}
  </bdi>
);
