// Whoever is signed in gets the app at the address of the public home page.
try {
  if (localStorage.getItem('token')) {
    const page = document.documentElement;
    page.style.visibility = 'hidden';
    fetch('/app.html')
      .then(answer => (answer.ok ? answer.text() : Promise.reject(answer.status)))
      .then(html => {
        document.open();
        document.write(html);
        document.close();
      })
      .catch(() => {
        page.style.visibility = '';
      });
  }
} catch {
  // Without storage nobody can be signed in.
}
