declare module '#docs/help.md' {
  import type { HelpSection } from '#web/lib/help.ts';

  const sections: HelpSection[];
  export default sections;
}
