/** How many organizations a page has; a shorter page is the last one. Apart from the shapes, which every page would load. */
export const ORGANIZATIONS_PAGE = 100;
