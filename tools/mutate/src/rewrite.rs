//! Puts all mutants of a file into it, each behind a switch (`switch.rs`): mutant schemata, as Untch, Offutt and Harrold have them.
//!
//! Nothing is copied and no line moves: text is put in front of and behind expressions and statements, so that what does not compile can be
//! traced to its mutants by line.
//!
//! *Conditions.* Of `a && b` each side is left out (taken as true), and the whole made false; of `a || b` dually; any other condition is made
//! true and made false. Whoever notices these notices `&&` for `||` and removed negations too. Comparisons also change where both sides
//! are equal. *Bodies* of functions return at once, with a simple value of their type. *Statements* that call or assign, *bodies* of loops and of
//! `if let`, and *arms* of a `match` that has a last arm `_` are left out. *Constants* `true` and `false` are negated; sums become
//! differences, bitwise and becomes or.

use proc_macro2::Span;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, BinOp, Block, Expr, Pat, ReturnType, Signature, Stmt, Type, UnOp};

/// One mutant.
pub struct Mutant {
    /// Its number, from 1.
    pub id: u32,
    /// The line in the file.
    pub line: usize,
    /// The function.
    pub function: String,
    /// What is changed, and how.
    pub what: String,
}

/// The mutants of a file, and the file with all of them.
pub struct Rewritten {
    /// All mutants.
    pub mutants: Vec<Mutant>,
    /// The text.
    pub text: String,
}

/// Text in front of and behind a part of the file.
struct Wrap {
    from: usize,
    to: usize,
    open: String,
    close: String,
}

/// Where a condition may be forced.
#[derive(Clone, Copy)]
struct Modes {
    hold: bool,
    fail: bool,
}

const BOTH: Modes = Modes { hold: true, fail: true };

struct Rewriter<'a> {
    source: &'a str,
    next: u32,
    mutants: Vec<Mutant>,
    wraps: Vec<Wrap>,
    function: Vec<String>,
    /// Lines whose mutants do not compile.
    skip: &'a [usize],
}

/// Rewrites a file; its mutants get numbers from `first` on.
///
/// # Errors
/// If it is not Rust.
pub fn rewrite(source: &str, first: u32, skip: &[usize]) -> syn::Result<Rewritten> {
    let file = syn::parse_file(source)?;
    let mut rewriter =
        Rewriter { source, next: first, mutants: Vec::new(), wraps: Vec::new(), function: Vec::new(), skip };
    rewriter.visit_file(&file);
    let text = rewriter.text();
    Ok(Rewritten { mutants: rewriter.mutants, text })
}

impl Rewriter<'_> {
    /// The file with everything put in: at one place, what is inside ends first and begins last.
    fn text(&self) -> String {
        let mut at: std::collections::BTreeMap<usize, (Vec<&str>, Vec<&str>)> = Default::default();
        for wrap in &self.wraps {
            at.entry(wrap.from).or_default().1.push(&wrap.open);
            at.entry(wrap.to).or_default().0.push(&wrap.close);
        }
        let (mut text, mut done) = (String::new(), 0);
        for (place, (closes, opens)) in at {
            text.push_str(&self.source[done..place]);
            closes.iter().rev().chain(&opens).for_each(|part| text.push_str(part));
            done = place;
        }
        text + &self.source[done..]
    }

    /// A new mutant, unless those of its line do not compile; its number.
    fn mutant(&mut self, span: Span, what: String) -> Option<u32> {
        let line = span.start().line;
        let last = span.end().line;
        if self.skip.iter().any(|&bad| (line..=last.min(line + 3)).contains(&bad)) {
            return None;
        }
        let function = self.function.join("::");
        self.mutants.push(Mutant { id: self.next, line, function, what });
        self.next += 1;
        Some(self.next - 1)
    }

    fn wrap(&mut self, span: Span, open: String, close: &str) {
        let range = span.byte_range();
        self.wraps.push(Wrap { from: range.start, to: range.end, open, close: close.into() });
    }

    /// The beginning of a part of the file.
    fn snippet(&self, span: Span) -> String {
        let text: Vec<&str> = self.source[span.byte_range()].split_whitespace().collect();
        let text = text.join(" ");
        if text.chars().count() > 70 { text.chars().take(70).chain("...".chars()).collect() } else { text }
    }

    /// A condition, and what is inside.
    fn condition(&mut self, e: &Expr, modes: Modes) {
        match e {
            Expr::Paren(inner) => self.condition(&inner.expr, modes),
            Expr::Group(inner) => self.condition(&inner.expr, modes),
            Expr::Let(inner) => self.visit_expr(&inner.expr),
            Expr::Unary(inner) if matches!(inner.op, UnOp::Not(_)) && is_formula(&inner.expr) => {
                self.condition(&inner.expr, Modes { hold: modes.fail, fail: modes.hold });
            }
            Expr::Binary(b) if matches!(b.op, BinOp::And(_) | BinOp::Or(_)) => {
                let is_and = matches!(b.op, BinOp::And(_));
                let whole = if is_and { modes.fail } else { modes.hold };
                if whole && !has_let(e) {
                    self.force(e, Modes { hold: !is_and, fail: is_and });
                }
                let sides = Modes { hold: is_and, fail: !is_and };
                // A chain is one formula.
                for side in [&*b.left, &*b.right] {
                    self.condition(side, sides);
                }
            }
            _ => {
                self.force(e, modes);
                self.inside(e);
            }
        }
    }

    /// Makes a condition true, or false, or either.
    fn force(&mut self, e: &Expr, modes: Modes) {
        let (span, text) = (e.span(), self.snippet(e.span()));
        if modes.hold && modes.fail {
            let first = self.mutant(span, format!("`{text}` is true"));
            let second = self.mutant(span, format!("`{text}` is false"));
            if let (Some(n), Some(_)) = (first, second) {
                self.wrap(span, format!("::base::mutant::both({n}, "), ")");
            }
        } else if modes.hold {
            if let Some(n) = self.mutant(span, format!("`{text}` is true")) {
                self.wrap(span, format!("::base::mutant::force({n}, "), ")");
            }
        } else if let Some(n) = self.mutant(span, format!("`{text}` is false")) {
            self.wrap(span, format!("::base::mutant::deny({n}, "), ")");
        }
    }

    /// What is inside an expression that was dealt with as a condition.
    fn inside(&mut self, e: &Expr) {
        match e {
            Expr::Binary(b) => self.compare(b),
            Expr::Lit(_) => {}
            Expr::Unary(u) => self.inside(&u.expr),
            _ => visit::visit_expr(self, e),
        }
    }

    /// Comparisons where both sides are equal; sums and bits.
    fn compare(&mut self, b: &syn::ExprBinary) {
        let (name, reference, other) = match b.op {
            BinOp::Lt(_) => ("lt", "&", "<="),
            BinOp::Le(_) => ("le", "&", "<"),
            BinOp::Gt(_) => ("gt", "&", ">="),
            BinOp::Ge(_) => ("ge", "&", ">"),
            BinOp::Add(_) => ("add", "", "-"),
            BinOp::Sub(_) => ("sub", "", "+"),
            BinOp::BitAnd(_) => ("and", "", "|"),
            BinOp::BitOr(_) => ("or", "", "&"),
            _ => return visit::visit_expr_binary(self, b),
        };
        let text = self.snippet(b.span());
        if let Some(n) = self.mutant(b.op.span(), format!("`{text}`: `{other}`")) {
            self.wrap(b.span(), format!("::base::mutant::{name}({n}, "), ")");
            self.wrap(b.left.span(), format!("{reference}("), ")");
            let operator = b.op.span().byte_range();
            // The operator becomes a comma: what stood there stays as a comment.
            self.wraps.push(Wrap {
                from: operator.start,
                to: operator.end,
                open: ", /* ".into(),
                close: " */".into(),
            });
            self.wrap(b.right.span(), format!("{reference}("), ")");
        }
        self.visit_expr(&b.left);
        self.visit_expr(&b.right);
    }

    /// A statement that can be left out.
    fn leave_out(&mut self, span: Span) {
        let text = self.snippet(span);
        if let Some(n) = self.mutant(span, format!("`{text}` left out")) {
            self.wrap(span, format!("if !::base::mutant::on({n}) {{ "), " }");
        }
    }

    /// What a block has is left out: `word` ends it.
    fn begin(&mut self, block: &Block, what: String, word: &str) {
        let open = block.brace_token.span.open();
        if let Some(n) = self.mutant(open, what) {
            let at = open.byte_range().end;
            let text = format!(" if ::base::mutant::on({n}) {{ {word}; }}");
            self.wraps.push(Wrap { from: at, to: at, open: text, close: String::new() });
        }
    }

    fn body(&mut self, signature: &Signature, block: &Block) {
        if signature.constness.is_some() || block.stmts.is_empty() {
            return;
        }
        self.function.push(signature.ident.to_string());
        for value in values(&signature.output) {
            let what = if value.is_empty() { "body left out".into() } else { format!("body is `{value}`") };
            self.begin(block, what, &format!("return {value}"));
        }
        visit::visit_block(self, block);
        self.function.pop();
    }
}

/// Whether something is a condition by its form.
fn is_formula(e: &Expr) -> bool {
    match e {
        Expr::Paren(inner) => is_formula(&inner.expr),
        Expr::Unary(u) => matches!(u.op, UnOp::Not(_)) && is_formula(&u.expr),
        Expr::Binary(b) => matches!(
            b.op,
            BinOp::And(_)
                | BinOp::Or(_)
                | BinOp::Eq(_)
                | BinOp::Ne(_)
                | BinOp::Lt(_)
                | BinOp::Le(_)
                | BinOp::Gt(_)
                | BinOp::Ge(_)
        ),
        Expr::Macro(m) => m.mac.path.is_ident("matches"),
        _ => false,
    }
}

fn has_let(e: &Expr) -> bool {
    match e {
        Expr::Let(_) => true,
        Expr::Paren(inner) => has_let(&inner.expr),
        Expr::Binary(b) => has_let(&b.left) || has_let(&b.right),
        _ => false,
    }
}

/// Methods whose argument answers yes or no.
const PREDICATES: [&str; 13] = [
    "filter",
    "any",
    "all",
    "position",
    "rposition",
    "find",
    "retain",
    "take_while",
    "skip_while",
    "is_some_and",
    "is_none_or",
    "rfind",
    "partition_point",
];

/// Simple values of a type.
fn values(output: &ReturnType) -> Vec<String> {
    match output {
        ReturnType::Default => vec![String::new()],
        ReturnType::Type(_, ty) => of_type(ty),
    }
}

fn of_type(ty: &Type) -> Vec<String> {
    let list = |all: &[&str]| all.iter().map(ToString::to_string).collect();
    match ty {
        Type::Tuple(t) if t.elems.is_empty() => list(&["()"]),
        Type::Tuple(t) => {
            let parts: Vec<Vec<String>> = t.elems.iter().map(of_type).collect();
            if parts.iter().any(Vec::is_empty) {
                return Vec::new();
            }
            let firsts: Vec<&str> = parts.iter().map(|p| p[0].as_str()).collect();
            let lasts: Vec<&str> = parts.iter().map(|p| p[p.len() - 1].as_str()).collect();
            vec![format!("({})", firsts.join(", ")), format!("({})", lasts.join(", "))]
        }
        Type::Array(a) => {
            let len = a.len.to_token_stream();
            of_type(&a.elem).into_iter().map(|value| format!("[{value}; {len}]")).collect()
        }
        Type::Reference(r) if matches!(*r.elem, Type::Slice(_)) && r.mutability.is_none() => list(&["&[]"]),
        Type::Path(p) => {
            let Some(last) = p.path.segments.last() else { return Vec::new() };
            match last.ident.to_string().as_str() {
                "bool" => list(&["true", "false"]),
                "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i32" | "i64" => list(&["0", "1"]),
                "Option" => list(&["None"]),
                "Vec" | "FxHashMap" | "FxHashSet" | "BTreeMap" | "BTreeSet" | "Ranges" | "SmallVec" => {
                    list(&["Default::default()"])
                }
                "Result" => {
                    let syn::PathArguments::AngleBracketed(args) = &last.arguments else { return Vec::new() };
                    match args.args.first() {
                        Some(syn::GenericArgument::Type(ok)) => {
                            of_type(ok).into_iter().map(|value| format!("Ok({value})")).collect()
                        }
                        _ => Vec::new(),
                    }
                }
                _ => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|a| {
        let text = a.to_token_stream().to_string();
        text.contains("cfg") && text.contains("test") || text.contains("switches")
    })
}

impl<'ast> Visit<'ast> for Rewriter<'_> {
    fn visit_attribute(&mut self, _: &'ast Attribute) {}
    fn visit_pat(&mut self, _: &'ast Pat) {}
    fn visit_type(&mut self, _: &'ast Type) {}
    fn visit_generics(&mut self, _: &'ast syn::Generics) {}
    fn visit_path(&mut self, _: &'ast syn::Path) {}
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_item_enum(&mut self, _: &'ast syn::ItemEnum) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}
    fn visit_expr_repeat(&mut self, e: &'ast syn::ExprRepeat) {
        self.visit_expr(&e.expr);
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let text = item.trait_.as_ref().map(|t| t.1.to_token_stream().to_string());
        if is_test(&item.attrs) || text.is_some_and(|t| t.ends_with("Debug") || t.ends_with("Display")) {
            return;
        }
        let name: String = item.self_ty.to_token_stream().to_string().split_whitespace().collect();
        self.function.push(name);
        visit::visit_item_impl(self, item);
        self.function.pop();
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if !is_test(&item.attrs) {
            self.body(&item.sig, &item.block);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if !is_test(&item.attrs) {
            self.body(&item.sig, &item.block);
        }
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.body(&item.sig, block);
        }
    }

    fn visit_expr_if(&mut self, e: &'ast syn::ExprIf) {
        self.condition(&e.cond, BOTH);
        self.visit_block(&e.then_branch);
        if let Some((_, other)) = &e.else_branch {
            self.visit_expr(other);
        }
    }

    fn visit_expr_while(&mut self, e: &'ast syn::ExprWhile) {
        self.condition(&e.cond, Modes { hold: false, fail: true });
        self.visit_block(&e.body);
    }

    fn visit_expr_for_loop(&mut self, e: &'ast syn::ExprForLoop) {
        self.visit_expr(&e.expr);
        let text = self.snippet(e.expr.span());
        self.begin(&e.body, format!("loop over `{text}` left out"), "break");
        self.visit_block(&e.body);
    }

    fn visit_expr_match(&mut self, e: &'ast syn::ExprMatch) {
        self.visit_expr(&e.expr);
        let rest = e.arms.last().is_some_and(|arm| matches!(arm.pat, Pat::Wild(_)) && arm.guard.is_none());
        let count = e.arms.len();
        for (i, arm) in e.arms.iter().enumerate() {
            match &arm.guard {
                Some((_, guard)) => self.condition(guard, BOTH),
                None if rest && i + 1 < count => {
                    let text = self.snippet(arm.pat.span());
                    if let Some(n) = self.mutant(arm.pat.span(), format!("arm `{text}` left out")) {
                        let at = arm.pat.span().byte_range().end;
                        let open = format!(" if !::base::mutant::on({n})");
                        self.wraps.push(Wrap { from: at, to: at, open, close: String::new() });
                    }
                }
                None => {}
            }
            self.visit_expr(&arm.body);
        }
    }

    fn visit_expr_method_call(&mut self, e: &'ast syn::ExprMethodCall) {
        self.visit_expr(&e.receiver);
        for argument in &e.args {
            match argument {
                Expr::Closure(closure)
                    if PREDICATES.iter().any(|p| e.method == p)
                        && !matches!(*closure.body, Expr::Block(_)) =>
                {
                    self.condition(&closure.body, BOTH);
                }
                _ => self.visit_expr(argument),
            }
        }
    }

    fn visit_expr_closure(&mut self, e: &'ast syn::ExprClosure) {
        self.visit_expr(&e.body);
    }

    fn visit_expr(&mut self, e: &'ast Expr) {
        match e {
            Expr::Binary(_) | Expr::Unary(_) | Expr::Macro(_) if is_formula(e) => self.condition(e, BOTH),
            Expr::Binary(b) => self.compare(b),
            Expr::Lit(lit) => {
                if let syn::Lit::Bool(b) = &lit.lit
                    && let Some(n) = self.mutant(lit.span(), format!("`{}` negated", b.value))
                {
                    self.wrap(lit.span(), format!("::base::mutant::flip({n}, "), ")");
                }
            }
            _ => visit::visit_expr(self, e),
        }
    }

    fn visit_stmt(&mut self, stmt: &'ast Stmt) {
        match stmt {
            Stmt::Item(item) => return self.visit_item(item),
            Stmt::Expr(Expr::If(e), _) if e.else_branch.is_none() && has_let(&e.cond) => {
                // Only where nothing is the value: an `if` without `else`.
                let text = self.snippet(e.cond.span());
                let open = e.then_branch.brace_token.span.open();
                if let Some(n) = self.mutant(open, format!("what `{text}` leads to left out")) {
                    let close = e.then_branch.brace_token.span.close();
                    self.wraps.push(Wrap {
                        from: open.byte_range().end,
                        to: close.byte_range().start,
                        open: format!(" if !::base::mutant::on({n}) {{"),
                        close: "}".into(),
                    });
                }
            }
            Stmt::Expr(e, Some(_)) => {
                let called = match e {
                    Expr::Try(inner) => &inner.expr,
                    other => other,
                };
                let assigns = matches!(called, Expr::Binary(_) | Expr::Assign(_));
                if assigns || matches!(called, Expr::MethodCall(_) | Expr::Call(_)) {
                    self.leave_out(stmt.span());
                }
            }
            _ => {}
        }
        visit::visit_stmt(self, stmt);
    }
}
