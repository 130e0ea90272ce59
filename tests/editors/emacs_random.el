;;; emacs_random.el --- Random typing in the real Emacs with the real server -*- lexical-binding: t; -*-

;; Types, accepts all, words and lines, undoes, goes through suggestions, moves, deletes and switches between two files.  Every so
;; often each buffer is compared with the server's text.  Where a whole suggestion was accepted in a file that was valid before, it
;; must be valid after.  Environment: that of emacs_case.el; TENON_SECONDS, TENON_SEED.

(load (expand-file-name "emacs_case.el" (file-name-directory load-file-name)) nil t)
(require 'benchmark)

(defconst typist-python "import sys\n\n\ndef largest(numbers):
    \"\"\"The largest of the numbers, é and \U0001F600 included.\"\"\"\n    best = numbers[0]
    for number in numbers:\n        if number > best:\n            best = number\n    return best\n\n
def main():\n    print(largest([int(text) for text in sys.argv[1:]]))\n\n\nmain()\n")
(defconst typist-json "{\n  \"name\": \"tenon\",\n  \"numbers\": [1, 2, 3],\n  \"é\": {\"deep\": null}\n}\n")
(defconst typist-keys ["x = " "len(" "return " "if " "for i in " "print(" ")" "]" "[" "{" "}" ":" ", " "a.b" "'" "\"é\"" "\U0001F600"
                       "0x1f" "# why" "\r" "\r    " [backspace] [backspace backspace] "\M-d" "\C-k"])

(defvar typist-counts nil "What was done how often.")
(defvar typist-faults nil "What went wrong.")
(defvar typist-spent '(0.0 0.0 0.0) "What the package's hooks took since the last key: `typist-clocks'.")
(defvar typist-costs nil "The same for each key, in milliseconds.")

(defun typist-count (what)
  "Count WHAT."
  (setf (alist-get what typist-counts 0 nil #'equal) (1+ (alist-get what typist-counts 0 nil #'equal))))

(defun typist-clocks ()
  "Seconds of one moment: the wall's, the processor's for this Emacs alone, and those of collections so far."
  (let ((collections -1) clocks)
    ;; Emacs may collect garbage between two of them.
    (while (/= collections gcs-done)
      (setq collections gcs-done
            clocks (list (float-time) (float-time (get-internal-run-time)) gc-elapsed)))
    clocks))

(dolist (hook '(tenon--post-command tenon--before-change tenon--after-change))
  (advice-add hook :around
              (lambda (run &rest arguments)
                (let ((began (typist-clocks)))
                  (prog1 (apply run arguments)
                    (setq typist-spent (cl-mapcar #'+ typist-spent (cl-mapcar #'- (typist-clocks) began))))))))

(defun typist-type (keys)
  "Type KEYS, and note what the package adds to each."
  (condition-case fault
      (mapc (lambda (key)
              (setq typist-spent (list 0.0 0.0 0.0))
              (execute-kbd-macro (vector key))
              (push (mapcar (lambda (seconds) (* 1000 seconds)) typist-spent) typist-costs))
            keys)
    ((beginning-of-buffer end-of-buffer text-read-only user-error quit) fault)
    ;; Emacs' own: python-mode indents a line below a `return' in the first column by -4.
    (wrong-type-argument (unless (eq (cadr fault) 'wholenump) (signal (car fault) (cdr fault))))))

(defun typist-valid ()
  "Is the buffer valid?"
  (let ((file (make-temp-file "tenon-checked-" nil (file-name-extension buffer-file-name t) (buffer-string))))
    (prog1 (= 0 (call-process tenon-program nil nil nil "check" file))
      (delete-file file))))

(defun typist-accept (command)
  "Accept by COMMAND; a valid text must stay one."
  (let ((before (and (eq command 'tenon-accept) (typist-valid))))
    (when (funcall command)
      (typist-count command)
      (when (eq command 'tenon-accept)
        (let ((after (typist-valid)))
          (typist-count (format "%s before, %s after" (if before "valid" "broken") (if after "valid" "broken")))
          (when (and before (not after))
            (push (format "a suggestion broke the text: %S" (buffer-string)) typist-faults)))))))

(defun typist-compare ()
  "Compare the buffer with the server's text."
  (typist-count "comparisons")
  (tenon--flush)
  (let ((theirs (plist-get (jsonrpc-request tenon--connection :tenon/text (list :textDocument (list :uri tenon--uri)))
                           :text)))
    (unless (equal theirs (buffer-substring-no-properties (point-min) (point-max)))
      (push (format "the server has another text: %S, not %S" theirs (buffer-string)) typist-faults))))

(defun typist-restore (buffer text)
  "Go to BUFFER and give it TEXT again: what was typed to pieces offers nothing any more."
  (switch-to-buffer buffer)
  (erase-buffer)
  (insert text)
  (goto-char (point-min))
  (forward-line (random (count-lines (point-min) (point-max))))
  (end-of-line)
  (tenon--post-command))

(defun typist-pick (things)
  "One of THINGS."
  (elt things (random (length things))))

(defun typist-act (files)
  "Do something; FILES are (BUFFER . TEXT)."
  (let ((chance (random 100)))
    (cond
     ((< chance 45) (typist-count "typed") (typist-type (typist-pick typist-keys)))
     ((< chance 65)
      ;; Now and then the typist waits until the server has thought.
      (let ((end (+ (float-time) (typist-pick [0.05 0.3 3]))))
        (while (and (< (float-time) end) (not tenon--shown)) (accept-process-output nil 0.02)))
      (when tenon--shown
        (typist-count "seen")
        (typist-accept (typist-pick [tenon-accept tenon-accept tenon-accept-word tenon-accept-line]))))
     ((< chance 72) (typist-count "undone") (ignore-errors (undo)))
     ((< chance 80)
      (typist-count "others")
      (funcall (typist-pick [tenon-next tenon-previous tenon-complete tenon-dismiss])))
     ((< chance 90) (typist-type (typist-pick [[left] [right] [up] [down] "\C-e" "\C-a" "\C-o" "\M-q"])))
     ((< chance 95) (typist-count "switched") (let ((file (typist-pick files))) (typist-restore (car file) (cdr file))))
     (t (typist-compare)))))

(defun typist-run ()
  "Type for as long as told, and exit with 1 if something was wrong."
  (random (concat "tenon" (getenv "TENON_SEED")))
  (let* ((inhibit-message t)
         (debug-on-error nil)
         (folder (make-temp-file "tenon-emacs-" t))
         (tenon-program (getenv "TENON_PROGRAM"))
         ;; Two threads would leave the editor none on a small machine.
         (tenon-arguments '("--stdio" "--no-daemon" "--threads" "1" "--model" "smollm2-135m-fim"))
         (tenon-initialization-options '(:experimental (:text t)))
         (tenon-idle-delay 0.02)
         (python-indent-guess-indent-offset nil)
         (files (mapcar (lambda (file)
                          (with-current-buffer (find-file-noselect (expand-file-name (car file) folder))
                            (insert (cdr file))
                            (tenon-mode)
                            (cons (current-buffer) (cdr file))))
                        (list (cons "a.py" typist-python) (cons "b.json" typist-json))))
         (end nil))
    (switch-to-buffer (caar files))
    (case-wait "the model" (lambda () (equal (plist-get tenon--state :state) "ready")))
    (setq end (+ (float-time) (string-to-number (getenv "TENON_SECONDS"))))
    (while (and (< (float-time) end) (not typist-faults))
      (condition-case fault
          (typist-act files)
        (error (push (format "an error: %S" fault) typist-faults))))
    (typist-compare)
    (dolist (name '("*Messages*" " *tenon stderr*"))
      (when (get-buffer name)
        (with-current-buffer name
          (goto-char (point-min))
          (while (re-search-forward "^.*\\(\\[error\\]\\|Error in \\|error in process filter\\|Error running timer\\).*$" nil t)
            (push (match-string 0) typist-faults)))))
    ;; A collection is Emacs' own, and takes from the processor what is not known: the keys within which there was one stand apart.
    (let* ((inhibit-message nil)
           (plain (cl-remove-if-not (lambda (key) (zerop (nth 2 key))) typist-costs))
           (walls (sort (mapcar #'car plain) #'<))
           (count (length plain)))
      (princ (format "seed %s, %s s, %s package: %s\n" (getenv "TENON_SEED") (getenv "TENON_SECONDS")
                     (if (byte-code-function-p (symbol-function 'tenon--rest)) "byte-compiled" "interpreted")
                     (mapconcat (lambda (entry) (format "%s %d" (car entry) (cdr entry))) typist-counts "; ")))
      (princ (format "added to a key, %d keys: median %.2f ms, 95 of 100 below %.2f ms, at most %.2f ms\n"
                     count (nth (/ count 2) walls) (nth (floor (* 0.95 count)) walls) (car (last walls))))
      (princ (format "of these in processor time at most %.2f ms\n" (apply #'max (mapcar #'cadr plain))))
      (princ (format "Emacs collected garbage within %d further keys, at most %.2f ms\n" (- (length typist-costs) count)
                     (apply #'max (mapcar (lambda (key) (nth 2 key)) typist-costs))))
      (dolist (fault typist-faults) (princ (format "FAULT: %s\n" fault))))
    (dolist (file files) (with-current-buffer (car file) (set-buffer-modified-p nil)))
    (tenon--stop)
    (delete-directory folder t)
    (kill-emacs (if typist-faults 1 0))))

(typist-run)
;;; emacs_random.el ends here
